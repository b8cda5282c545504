# frozen_string_literal: true

require "test_helper"

module Mohs
  module Report
    class DocumentTest < TestCase
      def command(document, ...) = Document.command(document.merge(provenance: provenance(...)))

      def provenance(*argv, command:) = Typed.provenance(*argv, command:)

      test "the command is the one that was typed, not the kind of document" do
        point = ["shop", "--against", "@v1", "--json"]

        assert_equal "mohs track shop --against @v1",
                     command({ command: "compare" }, *point, command: "track")
        assert_equal "mohs gate --get /a",
                     command({ command: "compare" }, "--get", "/a", command: "gate")
        assert_equal "mohs jobs --count 2",
                     command({ command: "run", jobs: {} }, "--count", "2", command: "jobs")
      end

      test "without an invocation it is that of the document; without a command line, nil" do
        load = { argv: %w[load http://127.0.0.1:3000 --quiet] }

        assert_equal "mohs load http://127.0.0.1:3000",
                     Document.command({ command: "load", provenance: load })
        assert_nil Document.command({ command: "doctor" })
      end
    end
  end
end
