# frozen_string_literal: true

require "json"
require "rbconfig"

module Mohs
  # Runs exe/mohs as a person would, in a process of its own, with a data folder that goes away with
  # the test. What is found out about this machine's Rubies is kept between tests: it is the same
  # for all.
  class MohsCommand
    ROOT = File.expand_path("../..", __dir__)
    Result = Struct.new(:out, :err, :status, keyword_init: true) do
      #: () -> Hash[Symbol, untyped]
      def json = JSON.parse(out, symbolize_names: true)
    end

    # dir: the person's folder, and where the data goes. root: where mohs itself is.
    #: (String, ?env: Hash[String, String], ?root: String) -> void
    def initialize(dir, env: {}, root: ROOT)
      @dir = dir
      @root = root
      own = { "XDG_DATA_HOME" => File.join(dir, "data"), "MOHS_DATABASE_URL" => nil }
      @env = { **own, "NO_COLOR" => "1", **env }
    end

    # To its end.
    #: (*String, ?limit_s: Numeric) -> Result
    def call(*arguments, limit_s: 120)
      start(*arguments)
      finish(limit_s)
    end

    # Its pid. `finish` waits for it.
    #: (*String) -> Integer
    def start(*arguments)
      @out, @err = %w[out err].map { |name| File.join(@dir, "#{name}.txt") }
      setup = File.join(ROOT, "vendor/bundle/bundler/setup.rb")
      command = [RbConfig.ruby, "-I", File.join(@root, "lib"), "-r", setup,
                 File.join(@root, "exe/mohs"), *arguments]
      @pid = ::Process.spawn(@env, *command, chdir: @dir, out: @out, err: @err, in: File::NULL)
    end

    # What it has said on stderr so far.
    #: () -> String
    def output = File.exist?(@err) ? File.read(@err) : ""

    #: (Numeric) -> Result
    def finish(limit_s)
      deadline = Clock.deadline(limit_s)
      until (ended = ::Process.wait2(@pid, ::Process::WNOHANG))
        give_up(limit_s) if Clock.mono_ns > deadline
        sleep 0.02
      end
      Result.new(out: File.read(@out), err: output, status: ended.last)
    end

    private

    def give_up(limit_s)
      ::Process.kill("KILL", @pid)
      ::Process.wait(@pid)
      raise "mohs did not end within #{limit_s} s:\n#{output}"
    end
  end
end
