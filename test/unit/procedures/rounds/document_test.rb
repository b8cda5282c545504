# frozen_string_literal: true

require "test_helper"

module Mohs
  module Rounds
    class DocumentTest < TestCase
      def again(*argv, file: nil)
        result = SampleResult.new({ "a" => 100.0, "b" => 110.0 }).to_h
        result[:run][:provenance][:invocation] = Typed.invocation(*argv).to_h
        result[:run][:study][:file] = file
        Stored.document(result)[:again]
      end

      test "a run without a study file is not repeated with that of the folder" do
        assert_equal "mohs --get /a", again("--get", "/a")
        assert_equal "mohs run s.yml --get /a", again("s.yml", "--get", "/a", file: "s.yml")
      end
    end
  end
end
