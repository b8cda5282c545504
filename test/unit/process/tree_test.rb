# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class TreeVerifyTest < TestCase
      test "where /proc shows no processes mohs says what it needs" do
        with_files do |folder|
          error = assert_raises(EnvironmentError) { Tree.verify(proc: folder) }
          assert_match(/shows no processes: .*mount -t proc/, error.message)
          assert_nil Tree.verify
        end
      end
    end
  end
end
