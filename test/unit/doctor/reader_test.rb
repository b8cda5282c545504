# frozen_string_literal: true

require "test_helper"

# Files of /proc and /sys below a root of their own, and those that tests play.
class DoctorReaderTest < Mohs::TestCase
  FILES = { "proc/a" => "  12 and 13\n", "proc/vmstat" => "pswpin 7\npswpin_more 9\n",
            "proc/meminfo" => "MemAvailable:   42 kB\n", "proc/words" => "none\n",
            "proc/latin" => "caf\xe9\n".b, "sys/cpu10/x" => "", "sys/cpu2/x" => "",
            "sys/cpufreq/x" => "" }.freeze

  def with_reader
    with_files(FILES) { |root| yield Mohs::Doctor::Reader.new(root:) }
    yield Mohs::PlayedReader.new(FILES)
  end

  test "text is without the space around it, numbers are the first" do
    with_reader do |reader|
      assert_equal "12 and 13", reader.text("proc/a")
      assert_equal 12, reader.number("proc/a")
      assert_nil reader.number("proc/words")
    end
  end

  test "fields are found by their whole name, with a colon or without" do
    with_reader do |reader|
      assert_equal 7, reader.field("proc/vmstat", "pswpin")
      assert_equal 42, reader.field("proc/meminfo", "MemAvailable")
      assert_nil reader.field("proc/vmstat", "swpin")
      assert_nil reader.field("proc/vmstat", "psw")
    end
  end

  test "what isn't there, or is no file, is nil" do
    with_reader do |reader|
      assert_nil reader.text("proc/none")
      assert_nil reader.text("proc")
      assert_nil reader.number("proc/a/b")
      assert_nil reader.field("proc/none", "x")
    end
  end

  test "bytes that are no text are no fault" do
    with_reader { |reader| assert_equal "caf?", reader.text("proc/latin") }
  end

  test "paths come in the order of their numbers" do
    with_reader do |reader|
      assert_equal %w[sys/cpu2/x sys/cpu10/x], reader.glob("sys/cpu[0-9]*/x")
      assert_empty reader.glob("none/*")
    end
  end

  test "by default it is this machine" do
    assert_equal File.read("/proc/sys/kernel/osrelease").strip,
                 Mohs::Doctor::Reader.new.text("proc/sys/kernel/osrelease")
  end
end
