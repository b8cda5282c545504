# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class OwnLogTest < TestCase
      def log(dir) = OwnLog.new(File.join(dir, OwnLog::RAILS))

      test "earlier entries of the log are left out" do
        with_files("log/production.log" => "old\n") do |dir|
          log = log(dir)
          File.write(File.join(dir, "log/production.log"), "new\n", mode: "a")

          assert_equal "new\n", log.tail
        end
      end

      test "a log created meanwhile is read from its start" do
        with_files("log/.keep" => "") do |dir|
          log = log(dir)

          assert_equal "", log.tail
          File.write(File.join(dir, "log/production.log"), "new\n")

          assert_equal "new\n", log.tail
        end
      end

      test "a log that was rotated is read from its start" do
        with_files("log/production.log" => "a long old one\n") do |dir|
          log = log(dir)
          File.write(File.join(dir, "log/production.log"), "new\n")

          assert_equal "new\n", log.tail
        end
      end

      test "only the end of a long log is read" do
        with_files("log/production.log" => "") do |dir|
          log = log(dir)
          File.write(File.join(dir, "log/production.log"), "#{'x' * 300_000}end")

          assert_equal OwnLog::TAIL_BYTES, log.tail.bytesize
          assert log.tail.end_with?("end")
        end
      end
    end
  end
end
