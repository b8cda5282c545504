# frozen_string_literal: true

require "test_helper"

# apps/messages without a server: each kind of worker, in a Ruby of its own.
class MessagesTest < Mohs::TestCase
  FILE = File.join(Mohs.root, "apps/messages/messages.rb")
  MODELS = %w[threads processes ractors fibers fibers-old].freeze

  # Its output ends when the last worker has ended, as each of them has it open.
  def ruby(code, limit_s: 60, **env)
    argv = [RbConfig.ruby, "-W:no-experimental", "-r", FILE, "-e", code]
    command = Mohs::Process::Command.new(argv:, env: env.transform_keys(&:to_s), chdir: "/")
    Mohs::Process::Capture.call(command, timeout_s: limit_s)
  end

  MODELS.each do |model|
    test "#{model} exchange messages again and again, and end with their master" do
      code = "workers = Messages.start(ENV); 3.times { workers.exchange; puts 'done' }"
      result = ruby(code, MODEL: model, WORKERS: "20", MESSAGES: "100")

      assert_predicate result, :success?, result.stderr
      assert_equal "done\n" * 3, result.stdout
    end
  end

  test "processes end with a master that is killed" do
    code = "workers = Messages.start(ENV); workers.exchange; $stdout.sync = true; puts 'done'; " \
           "Process.kill(:KILL, $$)"
    result = ruby(code, MODEL: "processes", WORKERS: "20", MESSAGES: "100")

    assert_equal ["done\n", ""], [result.stdout, result.stderr]
  end

  test "each worker gets its share of the messages" do
    code = <<~RUBY
      class Counting < Messages::Master
        COUNTS = Hash.new(0)
        def connect = super.tap { |link| Thread.new { loop { answer(link) } } }
        def answer(link)
          link.worker_in.readpartial(Messages::SIZE)
          COUNTS[link] += 1
          link.worker_out.write(Messages::REPLY)
        end
      end
      2.times { |round| (@master ||= Counting.new(3, 7)).exchange; p Counting::COUNTS.values }
    RUBY

    assert_equal "[7, 7, 7]\n[14, 14, 14]\n", ruby(code).stdout
  end

  WRONG = {
    "threads" => "def Messages.serve(input, output) = output.write(input.readpartial(16).upcase)",
    "fibers" => <<~RUBY,
      require "messages/reactor"
      Messages::Reactor.prepend(Module.new do
        def write(output, message) = super(output, message.sub("reply", "REPLY"))
      end)
    RUBY
  }.freeze

  WRONG.each do |model, code|
    test "a wrong reply of #{model} is an error" do
      code = "$:.unshift('#{Mohs.root}/apps'); #{code}; Messages.start(ENV).exchange"
      result = ruby(code, MODEL: model, MESSAGES: "100")

      refute_predicate result, :success?
      assert_match(/a worker replied "[^"]*[A-Z]{5}/, result.stderr)
    end
  end

  { { MODEL: "processors" } => "MODEL=processors: known are threads, processes, ",
    { MODEL: "async", RUBYOPT: "--disable=gems" } => "MODEL=async needs the gem async: CRuby 3.2",
    { WORKERS: "7" } => "MESSAGES=2000 can't be divided among 7 workers",
    { WORKERS: "0" } => "MESSAGES=2000 can't be divided among 0 workers",
    { WORKERS: "1000000", MESSAGES: "1000000" } => "(ulimit -Hn)" }.each do |env, message|
    test "#{env.map { |pair| pair.join('=') }.join(' ')} ends it with the reason" do
      result = ruby("Messages.start(ENV)", **env)

      refute_predicate result, :success?
      assert_includes result.stderr, message
    end
  end
end
