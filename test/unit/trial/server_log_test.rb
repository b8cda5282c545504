# frozen_string_literal: true

require "test_helper"

class ServerLogTest < Mohs::TestCase
  LIMIT = Mohs::Trial::ServerLog::LIMIT_BYTES

  test "a log that outgrows its limit is emptied, and counted on; its writer goes on" do
    with_log do |log, writer|
      writer.write("x" * (LIMIT + 1))
      log.trim
      writer.write("last words\n")

      assert_equal ["last words\n", LIMIT + 12], [log.text, log.written]
      assert_equal 11, File.size(log.path)
    end
  end

  test "below the limit nothing is lost" do
    with_log do |log, writer|
      writer.write("Worker 0 booted\n")
      log.trim

      assert_equal ["Worker 0 booted\n", 16], [log.text, log.written]
    end
  end

  test "of what was written in one go the end is read" do
    with_log do |log, writer|
      writer.write("x" * LIMIT, "ready\n")

      assert_equal ["ready\n", LIMIT], [log.text[-6..], log.text.bytesize]
    end
  end

  private

  def with_log
    with_files do |folder|
      log = Mohs::Trial::ServerLog.new(File.join(folder, "server.log"))
      File.open(log.path, "a") do |writer|
        writer.sync = true
        yield log, writer
      end
    end
  end
end
