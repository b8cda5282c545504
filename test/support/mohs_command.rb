# frozen_string_literal: true

require "json"
require "rbconfig"

module Mohs
  # Runs exe/mohs as a user would, in a process of its own, with a data folder that is removed with
  # the test. What is found out about this machine's Rubies is kept between tests, since it is the
  # same for all.
  class MohsCommand
    ROOT = File.expand_path("../..", __dir__)
    Result = Struct.new(:out, :err, :status, keyword_init: true) do
      #: () -> Hash[Symbol, untyped]
      def json = JSON.parse(out, symbolize_names: true)
    end

    # How often to look whether it queues for the machine.
    LOOK_S = 0.25

    # dir: the user's folder, and where the data goes. root: where mohs itself is. lock: the name
    # that all mohs processes share. within: the words to start it in a network namespace.
    #: (String, ?env: Hash[String, String], ?root: String, ?lock: String, ?within: Array[String]) -> void
    def initialize(dir, env: {}, root: ROOT, lock: Process::MachineLock::NAME, within: [])
      @dir = dir
      @within = within
      @root = root
      @lock = lock
      own = { "XDG_DATA_HOME" => File.join(dir, "data"), "MOHS_DATABASE_URL" => nil }
      @env = { **own, "NO_COLOR" => "1", **env }
    end

    # Runs it to its end. The time that it waits while another mohs measures does not count.
    #: (*String, ?limit_s: Numeric) -> Result
    def call(*arguments, limit_s: 120)
      start(*arguments)
      finish(limit_s)
    end

    # Starts it and returns its pid. `finish` waits for it.
    #: (*String) -> Integer
    def start(*arguments)
      @out, @err = %w[out err].map { |name| File.join(@dir, "#{name}.txt") }
      setup = File.join(ROOT, "vendor/bundle/bundler/setup.rb")
      command = [*@within, RbConfig.ruby, "-I", File.join(@root, "lib"), "-r", setup,
                 File.join(@root, "exe/mohs"), *arguments]
      @pid = ::Process.spawn(@env, *command, chdir: @dir, out: @out, err: @err, in: File::NULL)
    end

    # What it has printed on stderr so far.
    #: () -> String
    def output = File.exist?(@err) ? File.read(@err, encoding: "UTF-8") : ""

    #: (Numeric) -> Result
    def finish(limit_s)
      deadline = Clock.deadline(limit_s)
      began_ns = Clock.mono_ns
      until (status = ended_within(LOOK_S))
        looked_ns = Clock.mono_ns
        deadline += looked_ns - began_ns if queued?
        began_ns = looked_ns
        give_up(limit_s) if looked_ns > deadline
      end
      Result.new(out: File.read(@out, encoding: "UTF-8"), err: output, status:)
    end

    private

    # nil if it is still running.
    def ended_within(seconds)
      deadline = Clock.deadline(seconds)
      until (ended = ::Process.wait2(@pid, ::Process::WNOHANG)) || Clock.mono_ns > deadline
        sleep 0.02
      end
      ended&.last
    end

    # Whether it has a place in the queue (Process::MachineLock), but not the machine. Judged by
    # its sockets, which disturbs nobody.
    def queued?
      own = Dir.glob("/proc/#{@pid}/fd/*").filter_map { |fd| socket(fd) }
      names = File.binread("/proc/net/unix").lines.map(&:split).filter_map do |line|
        line[7]&.delete_prefix("@") if own.include?(line[6])
      end
      names.any? { |name| name.start_with?("#{@lock}-next-") } && !names.include?(@lock)
    end

    # The socket's inode; nil if it is no socket, or is closed already.
    def socket(path)
      File.readlink(path)[/\Asocket:\[(\d+)\]\z/, 1]
    rescue SystemCallError
      nil
    end

    def give_up(limit_s)
      ::Process.kill("KILL", @pid)
      ::Process.wait(@pid)
      raise "mohs did not end within #{limit_s} s:\n#{output}"
    end
  end
end
