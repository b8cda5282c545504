# frozen_string_literal: true

require "test_helper"

module Mohs
  module Probes
    # inside/attest.rb and its reader, on processes that say something or nothing.
    class AttestationTest < TestCase
      include HeldProcess

      WAIT = "puts Process.pid; $stdout.flush; $stdin.read"
      PIPE_LIMIT_S = 20

      test "a process says what it is" do
        inside(WAIT) do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal [RUBY_DESCRIPTION, RUBY_ENGINE, RUBY_VERSION, "off"],
                       facts.values_at(:interpreter, :engine, :version, :jit)
          assert_equal [1, 1, 1], facts.values_at(:workers, :processes, :threads_alive)
          assert_equal ["glibc", false], facts.values_at(:malloc, :mn_threads)
          assert_operator facts.dig(:gc, :stat, :count), :>=, 0
          assert_equal ["threads"], facts[:unattested]
          assert_equal ["#{pid}.ask"], Dir.children(folder)
        end
      end

      test "it can be asked again, and by several at once" do
        inside(WAIT) do |folder, pid|
          readers = Array.new(4) do
            Thread.new { Attestation.read(Inquiry.new(folder), [pid])[:engine] }
          end
          assert_equal %w[ruby] * 4, readers.map(&:value)
        end
      end

      test "a JIT is attested" do
        inside(WAIT, flags: ["--yjit"]) do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal ["yjit", %w[--yjit -e]], facts.values_at(:jit, :flags)
        end
      end

      test "variables are those that it sees itself, whatever bytes they hold" do
        env = { "RUBY_GC_HEAP_INIT_SLOTS" => "20000", "MALLOC_ARENA_MAX" => "2",
                "RUBY_ODD" => "\"\\\n\xFF", "OTHER" => "x" }
        inside(WAIT, env:) do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal({ "RUBY_GC_HEAP_INIT_SLOTS" => "20000" }, facts.dig(:gc, :variables))
          assert_equal ["2", "\"\\\n?", nil],
                       facts[:variables].values_at("MALLOC_ARENA_MAX", "RUBY_ODD", "OTHER")
        end
      end

      test "variables that the application changes are those that it was started with" do
        change = "ENV['MALLOC_ARENA_MAX'] = '9'; ENV['RUBY_GC_HEAP_INIT_SLOTS'] = '1'; " \
                 "ENV['LD_PRELOAD'] = 'x'; fork { $0 = 'worker 0'; sleep }"
        inside("#{change}; #{WAIT}", env: { "MALLOC_ARENA_MAX" => "2" }) do |folder, pid|
          pids = await { (tree = Process::Tree.pids(pid)).size == 2 && titled(tree) == 1 && tree }
          pids.each do |one|
            facts = Attestation.read(Inquiry.new(folder), [one])
            arenas = facts[:variables]["MALLOC_ARENA_MAX"]
            assert_equal ["2", {}], [arenas, facts.dig(:gc, :variables)]
            refute_includes facts[:variables], "LD_PRELOAD"
          end
        ensure
          pids&.drop(1)&.each { |child| ::Process.kill("KILL", child) }
        end
      end

      test "a variable whose name is no text is told like others" do
        inside(WAIT, env: { "RUBY_\xFF" => "1" }) do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal ["1", {}], [facts[:variables]["RUBY_?"], facts.dig(:gc, :variables)]
        end
      end

      test "what a process can't tell is missing, and is no failure" do
        unable = "class << MohsInside; def variables = raise; def gems = raise; def gc = raise; end"
        inside("#{unable}; #{WAIT}") do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal [{}, {}, { variables: {}, stat: {} }, RUBY_VERSION],
                       facts.values_at(:variables, :gems, :gc, :version)
        end
      end

      test "an answer that is no JSON is none" do
        inside("def MohsInside.json(_) = '{'; #{WAIT}") do |folder, pid|
          assert_includes Attestation.read(Inquiry.new(folder), [pid])[:unattested], "interpreter"
        end
      end

      # Its thread ends with the first answer.
      test "one whose answers fail is asked in vain at once, and goes on" do
        broken = "Thread.abort_on_exception = true; def MohsInside.json(_) = raise('broken')"
        inside("#{broken}; #{WAIT}") do |folder, pid|
          started = Clock.mono_ns
          2.times { assert_nil Attestation.read(Inquiry.new(folder), [pid])[:interpreter] }
          assert_operator Clock.mono_ns - started, :<, Inquiry::ANSWER_S * 1_000_000_000
          refute_equal "Z", File.read("/proc/#{pid}/stat").split[2]
        end
      end

      test "who did not answer is not waited for again" do
        inside(WAIT) do |folder, pid|
          inquiry = Inquiry.new(folder, answer_s: 0.2)
          held(pid) { assert_equal({ pid => nil }, inquiry.call("facts", [pid])) }
          assert_equal({ pid => nil }, inquiry.call("facts", [pid]))
        end
      end

      test "a pipe that is full is no reason to wait" do
        with_files do |folder|
          File.mkfifo(path = File.join(folder, "1.ask"))
          File.open(path, "r+") do |pipe|
            nil while pipe.write_nonblock("x" * 4096, exception: false).is_a?(Integer)
            answers = Timeout.timeout(PIPE_LIMIT_S) { Inquiry.new(folder).call("facts", [1]) }
            assert_empty answers
          end
        end
      end

      test "global variables of the application change nothing" do
        inside("$; = 'z'; $, = '-'; $/ = 'z'; #{WAIT}") do |folder, pid|
          answers = Inquiry.new(folder).call("figures", [pid])
          assert_includes answers.fetch(pid), "live_objects"
          assert_equal RUBY_VERSION, Attestation.read(Inquiry.new(folder), [pid])[:version]
        end
      end

      test "a process that ends takes its pipe with it" do
        script = "Process.wait(fork { }); #{WAIT}"
        inside(script) do |folder, pid|
          assert_equal ["#{pid}.ask"], Dir.children(folder)
        end
      end

      test "a process does what it is told before it answers, and says so" do
        inside(WAIT) do |folder, pid|
          assert_equal [[], 0], compacted(folder, pid)
          assert_equal [%w[compact], 1], compacted(folder, pid, prepare: %w[compact])
          assert_equal [%w[compact], 1], compacted(folder, pid)
        end
      end

      test "what it can't do is not said to be done" do
        unable = "GC.define_singleton_method(:compact) { raise NotImplementedError }"
        inside("#{unable}; #{WAIT}") do |folder, pid|
          assert_equal [[], 0], compacted(folder, pid, prepare: %w[compact])
        end
      end

      # On 2.7, the first that can compact, the ways to fork are wrapped.
      [RbConfig.ruby, *InstalledRubies.all(from: "2.7", before: "3")].each do |ruby|
        test "before it forks for the first time, #{ruby} does what the variable names, once" do
          script = "2.times { |i| fork { $0 = \"worker \#{i}\"; sleep } }; #{WAIT}"
          inside(script, ruby:, env: { "MOHS_BEFORE_FORK" => "compact" }) do |folder, pid|
            pids = await { (tree = Process::Tree.pids(pid)).size == 3 && titled(tree) == 2 && tree }
            found = pids.drop(1).map { |child| compacted(folder, child) }
            assert_equal [[%w[compact], 1]] * 2, found
          ensure
            pids&.drop(1)&.each { |child| ::Process.kill("KILL", child) }
          end
        end
      end

      test "threads that serve are counted by the names that pools give them" do
        script = "3.times { |i| Thread.new { sleep }.name = \"puma srv tp 00\#{i}\" };" \
                 "Thread.new { sleep }; #{WAIT}"
        inside(script) do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal [3, 5, []], facts.values_at(:threads, :threads_alive, :unattested)
        end
      end

      test "forked processes answer for themselves, whichever way they were forked" do
        script = "fork { $0 = 'worker 0'; sleep }; Process.fork { $0 = 'worker 1'; sleep };" \
                 "if Kernel.fork.nil? then $0 = 'worker 2'; sleep end; #{WAIT}"
        inside(script) do |folder, pid|
          pids = await { (tree = Process::Tree.pids(pid)).size == 4 && titled(tree) == 3 && tree }
          facts = Attestation.read(Inquiry.new(folder), pids, workers: pids.drop(1))
          assert_equal [3, 4, "ruby"], facts.values_at(:workers, :processes, :engine)
          assert_equal ["threads"], facts[:unattested]
        ensure
          pids&.drop(1)&.each { |child| ::Process.kill("KILL", child) }
        end
      end

      test "database pools and the framework are told; the smallest pool counts" do
        script = <<~RUBY
          Pool = Struct.new(:size, :max_size)
          Database = Struct.new(:connected?, :connection_pool)
          module ActiveRecord; Base = Database.new(true, Pool.new(3)); end
          module Sequel; DATABASES = [Struct.new(:pool).new(Pool.new(nil, 2))]; end
          module Rails
            Config = Struct.new(:eager_load, :active_job)
            Jobs = Struct.new(:queue_adapter)
            Logger = Struct.new(:level)
            class Store; end
            def self.application = Struct.new(:config).new(Config.new(true, Jobs.new(:sidekiq)))
            def self.logger = Logger.new(0)
            def self.cache = Store.new
            def self.env = "production"
            def self.version = "9.9"
          end
          #{WAIT}
        RUBY
        inside(script) do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal 2, facts[:pool]
          assert_equal({ env: "production", version: "9.9", eager_load: true, yjit: false,
                         log_level: "debug", cache: "Rails::Store", jobs: "sidekiq" },
                       facts[:rails])
        end
      end

      test "asking loads nothing of an application that only declares it" do
        script = <<~RUBY
          module ActiveRecord; autoload :Base, "/mohs-no-such.rb"; end
          module Rails; end
          #{WAIT}
        RUBY
        inside(script) do |folder, pid|
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_equal [nil, nil], facts.values_at(:pool, :rails)
        end
      end

      # Before 3.1 Ruby has no hook for fork, so the ways to fork are wrapped there.
      InstalledRubies.all.each do |ruby|
        test "#{ruby} attests itself and its forks, and fork stays private" do
          script = "abort 'public' if 1.respond_to?(:fork);" \
                   "fork { $0 = 'worker 0'; sleep };" \
                   "Process.fork { $0 = 'worker 1'; sleep }; #{WAIT}"
          inside(script, ruby:) do |folder, pid|
            pids = await { (tree = Process::Tree.pids(pid)).size == 3 && titled(tree) == 2 && tree }
            facts = Attestation.read(Inquiry.new(folder), pids, workers: pids.drop(1))
            assert_equal [2, "ruby", ["threads"]], facts.values_at(:workers, :engine, :unattested)
            assert_includes facts[:interpreter], "ruby #{ruby[/ruby-([\d.]+)/, 1]}"
          ensure
            pids&.drop(1)&.each { |child| ::Process.kill("KILL", child) }
          end
        end
      end

      test "threads that one worker starts later than another are waited for" do
        pool = "Thread.new { sleep }.name = 'puma srv tp 001'"
        script = "fork { $0 = 'worker 0'; #{pool}; sleep };" \
                 "fork { $0 = 'worker 1'; sleep 0.4; #{pool}; sleep }; #{WAIT}"
        inside(script) do |folder, pid|
          pids = await { (tree = Process::Tree.pids(pid)).size == 3 && titled(tree) == 2 && tree }
          facts = Attestation.read(Inquiry.new(folder), pids, workers: pids.drop(1))
          assert_equal [1, []], facts.values_at(:threads, :unattested)
        ensure
          pids&.drop(1)&.each { |child| ::Process.kill("KILL", child) }
        end
      end

      test "threads that start one after the other are waited for, if their number is known" do
        start = "3.times { |i| Thread.new { sleep }.name = \"puma srv tp 00\#{i}\"; sleep 0.1 }"
        inside("Thread.new { #{start} }; sleep 0.01; #{WAIT}") do |folder, pid|
          assert_equal 3, Attestation.read(Inquiry.new(folder), [pid], threads: 3)[:threads]
        end
      end

      test "processes that differ are told as such" do
        script = "fork { $0 = 'worker 0'; sleep };" \
                 "fork { $0 = 'worker 1'; Thread.new { sleep }; sleep }; #{WAIT}"
        inside(script) do |folder, pid|
          pids = await { (tree = Process::Tree.pids(pid)).size == 3 && titled(tree) == 2 && tree }
          facts = await do
            found = Attestation.read(Inquiry.new(folder), pids, workers: pids.drop(1))
            found unless found[:threads_alive] == 1
          end
          assert_equal %w[1 2], facts[:threads_alive].split(" and ").sort
        ensure
          pids&.drop(1)&.each { |child| ::Process.kill("KILL", child) }
        end
      end

      test "what says nothing is unattested, and costs no wait" do
        with_files do |folder|
          pid = spawn("sleep", "90")
          started = Clock.mono_ns
          facts = Attestation.read(Inquiry.new(folder), [pid])
          assert_operator Clock.mono_ns - started, :<, Inquiry::ANSWER_S * 1_000_000_000
          assert_equal %w[interpreter engine version jit threads], facts[:unattested]
          assert_equal ["glibc", nil, {}], facts.values_at(:malloc, :interpreter, :gems)
        ensure
          ::Process.kill("KILL", pid)
          ::Process.wait(pid)
        end
      end

      test "of workers that don't answer the number is given if another one does" do
        inside("$0 = 'worker 0'; #{WAIT}") do |folder, pid|
          silent = spawn(["sleep", "worker 1"], "90")
          pids = await { [pid, silent] if titled([pid, silent]) == 2 }
          facts = Attestation.read(Inquiry.new(folder), pids, workers: pids)
          assert_equal ["threads", "settings of 1 of 2 processes"], facts[:unattested]
        ensure
          ::Process.kill("KILL", silent)
          ::Process.wait(silent)
        end
      end

      test "a process that is gone has no allocator" do
        with_files do |folder|
          assert_includes Attestation.read(Inquiry.new(folder), [4_000_000])[:unattested], "malloc"
        end
      end

      test "without MOHS_INSIDE it does nothing, and where it cannot write it stays silent" do
        [nil, "", "/proc/mohs-no-such"].each do |folder|
          result = run_inside("puts Thread.list.size, Process.respond_to?(:no_such)", folder)
          assert_equal ["1\nfalse\n", ""], [result.stdout, result.stderr], folder.inspect
        end
      end

      test "it loads nothing that a bundle could want in another version" do
        with_files do |folder|
          features = "puts $LOADED_FEATURES.grep(/socket|json|io.wait/), Gem.loaded_specs.keys"
          with = run_inside(features, folder).stdout.lines
          assert_empty with - run_inside(features, nil).stdout.lines
        end
      end

      test "a process that ends or is signalled does not wait for it" do
        with_files do |folder|
          assert_equal "exit 3", run_inside("exit 3", folder).status.to_s
          signalled = run_inside("Process.kill(:TERM, $$); sleep", folder)
          assert_equal "killed by SIGTERM", signalled.status.to_s
        end
      end

      # JRuby waits for such a thread before it ends, for ever.
      test "its thread ends when the process does" do
        with_files do |folder|
          last = "thread = MohsInside.instance_variable_get(:@thread);" \
                 "at_exit { puts thread.join(#{PIPE_LIMIT_S / 2}) ? 'ended' : 'waits' };" \
                 "at_exit { MohsInside.send(:hush) }"
          assert_equal "ended\n", run_inside(last, folder).stdout
        end
      end

      private

      # Yields the pid of a Ruby that runs `script` with the attestation in it, and the folder where
      # it answers.
      def inside(script, ruby: "ruby", flags: [], env: {})
        with_files do |folder|
          env = { "MOHS_INSIDE" => folder, "RUBYOPT" => "-r#{script_file}", **env }
          pipe = IO.popen([env, ruby, *flags, "-e", script], "r+")
          yield folder, pipe.gets.to_i
        ensure
          pipe&.close
        end
      end

      # What it has done, and how often its heap was compacted.
      def compacted(folder, pid, **options)
        facts = Attestation.read(Inquiry.new(folder), [pid], **options)
        [facts[:prepared], facts.dig(:gc, :stat, :compact_count)]
      end

      # As under Puma.
      def script_file
        @script_file ||= File.join(Dir.mktmpdir("mohs-test"), "attest.rb").tap do |file|
          text = Inside.script(engine: Rubies::Engines.named("ruby"), server: Servers::Puma)
          File.write(file, text)
        end
      end

      def run_inside(script, folder)
        env = { "MOHS_INSIDE" => folder, "RUBYOPT" => "-r#{script_file}" }
        command = Process::Command.new(argv: ["ruby", "-e", script], env:)
        Process::Capture.call(command, timeout_s: PIPE_LIMIT_S)
      end

      def titled(pids) = pids.count { |pid| Process::Tree.command_line(pid).start_with?("worker") }

      def await
        deadline = Clock.deadline(PIPE_LIMIT_S)
        sleep 0.01 until (found = yield) || Clock.mono_ns > deadline
        found || flunk("waited in vain")
      end
    end
  end
end
