# frozen_string_literal: true

require "test_helper"

module Mohs
  module Probes
    # What a process says of itself, and the kernel of it, on processes that do something known.
    class FiguresTest < TestCase
      include RubyFacts
      include HeldProcess

      LIMIT_S = 20
      # Does what it is told by one line, then says so.
      OBEY = "$stdout.sync = true; puts Process.pid; while (line = $stdin.gets); eval(line); " \
             "puts 'done'; end"

      test "the kernel counts what a process does between two readings" do
        inside do |_folder, pid, tell|
          figures = KernelFigures.new
          first = figures.read([pid])
          tell.call("t = Process.clock_gettime(2); nil until Process.clock_gettime(2) > t + 0.2")
          tell.call("system(#{RbConfig.ruby.inspect}, '-e', " \
                    "'t = Process.clock_gettime(2); nil until Process.clock_gettime(2) > t + 0.3')")
          tell.call("20.times { sleep 0.001 }; @kept = 'x' * 8_000_000")
          change = figures.read([pid]).to_h { |name, value| [name, value - first.fetch(name, 0)] }

          assert_operator change[:user_ns] + change[:system_ns], :>=, 180_000_000
          assert_operator change[:programs_ns], :>=, 280_000_000
          assert_operator change[:voluntary_switches], :>=, 20
          assert_operator change[:minor_faults], :>=, 1000
          assert_operator change[:threads_busy], :>=, 1
          assert_equal 1, Dir.children("/proc/#{pid}/task").size - first[:threads]
          assert(change.values.all? { |value| value >= 0 }, change.inspect)
        end
      end

      test "a process counts its objects, its collections and what they take" do
        inside do |folder, pid, tell|
          figures = figures_of(folder)
          first = figures.read([pid])
          tell.call("100_000.times { Object.new }; 3.times { GC.start }")
          change = figures.read([pid]).to_h { |name, value| [name, value - first[name]] }

          assert_in_delta 100_000, change[:allocated_objects], 10_000
          assert_operator change[:gc_count], :>=, 3
          assert_operator change[:gc_major_count], :>=, 3
          assert_operator change[:gc_time_ns], :>, 0
          assert_equal ["#{pid}.ask"], Dir.children(folder)
        end
      end

      test "the heap of CRuby is known in bytes, as many as its pages have" do
        inside do |folder, pid, _tell|
          bytes, pages = figures_of(folder).read([pid]).values_at(:heap_bytes, :heap_pages)

          assert_equal GC::INTERNAL_CONSTANTS.fetch(:HEAP_PAGE_SIZE), bytes / pages
        end
      end

      test "what a reading allocates itself is little" do
        inside do |folder, pid, _tell|
          figures = figures_of(folder)
          objects = Array.new(3) { figures.read([pid])[:allocated_objects] }

          assert_operator objects[2] - objects[1], :<, 1000
        end
      end

      test "a JIT counts its code, and none is told where there is none" do
        inside(flags: ["--yjit", "--yjit-call-threshold=2"]) do |folder, pid, tell|
          figures = figures_of(folder)
          first = figures.read([pid])
          tell.call("def a(n) = n + 1; 100.times { a(1) }; def b(n) = a(n); 100.times { b(1) }")
          assert_operator figures.read([pid])[:jit_code_bytes], :>, first[:jit_code_bytes]
        end
        inside { |folder, pid, _| refute_includes figures_of(folder).read([pid]), :jit_code_bytes }
      end

      Dir["/opt/rubies/ruby-4*/bin/ruby"].each do |ruby|
        test "ZJIT counts its methods, its time and its code on #{ruby}, exits if asked to" do
          { [] => false, ["--zjit-stats-quiet"] => true }.each do |more, counts|
            inside(ruby:, flags: ["--zjit", *more]) do |folder, pid, tell|
              figures = JitFigures.new(figures_of(folder))
              first = figures.read([pid])
              tell.call('500.times { |n| eval("def m#{n}(a) = a + 1; 30.times { m#{n}(1) }") }')
              last = figures.read([pid])

              assert_operator last[:methods] - first[:methods], :>=, 500
              %i[code_bytes compile_ns].each do |name|
                assert_operator last[name], :>, first[name]
              end
              assert_equal counts, last.key?(:exits)
            end
          end
        end
      end

      # MJIT compiles by a C compiler, which a machine may lack.
      test "MJIT is followed by the code that it saves, version by version" do
        with_files("log" => "") do |temporary|
          flags = %w[--disable=gems --mjit --mjit-save-temps --mjit-verbose=1 --mjit-wait
                     --mjit-min-calls=90]
          skip "no MJIT here" unless mjit?(flags, temporary)

          log = "#{temporary}/log"
          inside(flags:, env: { "TMPDIR" => temporary }, log:) do |folder, pid, tell|
            saved = SavedCode.new(temporary, log:)
            figures = JitFigures.new(figures_of(folder), saved:)
            before = figures.read([pid])
            tell.call("class Pair; def initialize(a, b) = (@a, @b = a, b); def first = @a; end; " \
                      "class Other < Pair; def initialize = (@x = 1; super(2, 3)); end")
            tell.call("one = Pair.new(1, 2); 100.times { one.first }")
            once = figures.read([pid])
            tell.call("other = Other.new; 100.times { other.first }; 100.times { other.first }")

            assert_operator once[:methods], :>, before[:methods]
            assert_operator once[:code_bytes], :>, before[:code_bytes]
            assert_operator once[:compile_ns], :>, before[:compile_ns]
            first = saved.compiled.find { |one| one[:name] == "first" }
            assert_operator first[:versions], :>=, 2
            assert_equal first[:versions], first[:lines].count(&:positive?)
            assert_operator figures.read([pid])[:invalidations], :>=, 1
          end
        end
      end

      test "database pools are summed, and what one can't tell is left out" do
        inside do |folder, pid, tell|
          tell.call("module ActiveRecord; Base = Struct.new(:connected?, :connection_pool).new(" \
                    "true, Struct.new(:size, :stat).new(5, { size: 5, connections: 4, busy: 1, " \
                    "waiting: 2 })); end")
          names = %i[pool_size pool_connections pool_busy pool_waiting]
          assert_equal [5, 4, 1, 2], figures_of(folder).read([pid]).values_at(*names)
          tell.call("module Sequel; DATABASES = [Struct.new(:pool).new(Struct.new(" \
                    ":max_size, :size).new(3, 2))]; end")
          assert_equal [8, 6, nil, nil], figures_of(folder).read([pid]).values_at(*names)
        end
      end

      test "processes are summed, and when one has ended no counter is left" do
        inside do |folder, pid, tell|
          tell.call("2.times { fork { sleep } }; sleep 0.01 until Dir['#{folder}/*.ask'].size == 3")
          pids = Process::Tree.pids(pid)
          figures = figures_of(folder)
          three, one = [pids, [pid]].map { |some| figures_of(folder).read(some)[:live_objects] }
          assert_operator three, :>, 2 * one
          figures.read(pids)
          tell.call("Process.kill('KILL', #{pids.last}); Process.wait(#{pids.last})")
          2.times { assert_equal %i[heap_pages heap_bytes live_objects], figures.read(pids).keys }
        ensure
          pids&.drop(1)&.each { |child| kill(child) }
        end
      end

      test "who does not answer is waited for once, and says nothing from then on" do
        inside do |folder, pid, tell|
          figures = figures_of(folder, answer_s: 0.2)
          held(pid) do
            started = Clock.mono_ns
            assert_nil figures.read([pid])
            assert_operator Clock.mono_ns - started, :>=, 200_000_000
          end
          tell.call("nil")

          assert_nil figures.read([pid])
          refute_nil figures_of(folder).read([pid])
        end
      end

      test "a process listens as soon as its pipe is there" do
        with_files("slow.rb" => "class File; class << self; prepend(Module.new { def mkfifo(*) = " \
                                "super.tap { sleep(0.3) } }); end; end") do |folder|
          inside(env: { "RUBYOPT" => "-r#{folder}/slow.rb" }) do |pipes, pid, tell|
            tell.call("fork { sleep }; nil until Dir['#{pipes}/*.ask'].size == 2")
            child = (Process::Tree.pids(pid) - [pid]).first
            refute_nil figures_of(pipes).read([child])
          ensure
            kill(child) if child
          end
        end
      end

      test "processes that can't be asked say nothing" do
        with_files { |folder| assert_nil figures_of(folder).read([::Process.pid]) }
      end

      InstalledRubies.all.each do |ruby|
        version = InstalledRubies.version(ruby)

        test "#{ruby} tells what it knows" do
          inside(ruby:) do |folder, pid, _tell|
            found = figures_of(folder).read([pid])
            names = %i[gc_count gc_major_count allocated_objects freed_objects heap_pages
                       heap_bytes live_objects]
            names.insert(2, :gc_time_ns) if version >= Gem::Version.new("3.1")
            assert_equal names, found.keys
          end
        end

        next if version < Rubies::Engines::Cruby::FIRST_WITH_GVL_HOOKS

        test "#{ruby} counts how long threads wait for each other, in forks too" do
          with_extension(ruby, version.to_s) do |extension|
            inside(ruby:, extension:) do |folder, pid, tell|
              tell.call("def waits = 2.times.map { Thread.new { ends = now + 0.3; nil until " \
                        "now > ends } }.each(&:join); def now = Process.clock_gettime(1)")
              first = waited(folder, pid)
              tell.call("waits")
              assert_operator waited(folder, pid) - first, :>, 0.1
              tell.call("fork { waits; sleep }; sleep 0.01 until Dir['#{folder}/*.ask'].size == 2")
              child = (Process::Tree.pids(pid) - [pid]).first
              deadline = Clock.deadline(LIMIT_S)
              sleep 0.05 until (found = waited(folder, child) - first) > 0.3 ||
                               Clock.mono_ns > deadline
              assert_operator found, :>, 0.3
            ensure
              kill(child) if child
            end
          end
        end
      end

      private

      def figures_of(folder, answer_s: LIMIT_S) = InsideFigures.new(Inquiry.new(folder, answer_s:))

      # Seconds.
      def waited(folder, pid) = figures_of(folder).read([pid]).fetch(:gvl_wait_ns) / 1e9

      def with_extension(path, version)
        with_files do |cache_dir|
          env = { "XDG_CACHE_HOME" => cache_dir }
          yield Extension.new(ruby: ruby(version, path:), env:).path
        end
      end

      # Yields the folder where it answers, its pid, and what makes it evaluate a line.
      def inside(ruby: "ruby", flags: [], extension: nil, env: {}, log: nil)
        with_files do |folder|
          File.write(script = "#{folder}.rb", Inside.script(
                                                engine: Rubies::Engines.named("ruby"),
                                                server: Servers::Puma, extension:
                                              ))
          env = { **env, "MOHS_INSIDE" => folder,
                  "RUBYOPT" => "#{env['RUBYOPT']} -r#{script}".strip }
          pipe = IO.popen([env, ruby, *flags, "-e", OBEY], "r+", **{ err: log }.compact)
          tell = lambda do |line|
            pipe.puts(line)
            assert_equal "done\n", pipe.gets
          end
          yield folder, pipe.gets.to_i, tell
        ensure
          pipe&.close
          FileUtils.rm_f(script) if script
        end
      end

      def mjit?(flags, folder)
        code = "def a = 1; 100.times { a }; exit RubyVM::MJIT.enabled?"
        system({ "TMPDIR" => folder }, "ruby", *flags, "-e", code, %i[out err] => File::NULL) &&
          Dir.glob("#{folder}/_ruby_mjit_*.so").each { |file| File.unlink(file) }.any?
      end

      def kill(pid)
        ::Process.kill("KILL", pid)
      rescue Errno::ESRCH
        nil
      end
    end
  end
end
