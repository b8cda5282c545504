# frozen_string_literal: true

require "test_helper"

# In a process of its own: signals belong to the whole of it.
class StopSignalsTest < Mohs::TestCase
  test "Ctrl-C, a kill and a closed terminal each end the block once, with a shell's status" do
    { "INT" => [Interrupt, 130], "TERM" => [SignalException, 143], "HUP" => [SignalException, 129] }
      .each do |name, (kind, status)|
        output, ended = in_child { |signals| stop_by(name, signals) }

        assert_equal [kind.name, status], [output, ended.exitstatus], name
      end
  end

  test "the second is not heard, for it would cut short what the first began" do
    output, ended = in_child do |signals, out|
      stop_by("INT", signals) { ::Process.kill("TERM", ::Process.pid) && sleep(0.1) }
      out.write(" and ended well")
    end

    assert_equal ["Interrupt and ended well", 130], [output, ended.exitstatus]
  end

  test "the third leaves at once" do
    output, ended = in_child do |signals, out|
      stop_by("INT", signals) do
        2.times { ::Process.kill("INT", ::Process.pid) && sleep(0.1) }
        out.write("still here")
      end
    end

    assert_equal ["", 130], [output, ended.exitstatus]
  end

  test "what nohup had ignored stays ignored, and all is as before in the end" do
    output, = in_child do |signals, out|
      trap("HUP", "IGNORE")
      signals.during { ::Process.kill("HUP", ::Process.pid) && sleep(0.05) }
      out.write([trap("HUP", "DEFAULT"), trap("INT", "DEFAULT"), signals.first.inspect].join(" "))
    end

    assert_equal "IGNORE DEFAULT nil", output
  end

  private

  # What the block wrote, and how its process ended.
  def in_child
    reader, writer = IO.pipe
    @out = writer
    pid = fork do
      writer.sync = true
      signals = Mohs::CLI::StopSignals.new
      yield signals, writer
      exit!(signals.status)
    end
    writer.close
    [reader.read, ::Process.wait2(pid).last]
  ensure
    [reader, writer].each(&:close)
  end

  # Measures until `name` comes; then the block is what has to be done yet.
  def stop_by(name, signals)
    signals.during do
      ::Process.kill(name, ::Process.pid)
      sleep 5
    rescue SignalException => error
      yield if block_given?
      @out.write(error.class.name)
    end
  end
end
