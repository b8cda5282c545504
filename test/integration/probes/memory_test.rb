# frozen_string_literal: true

require "test_helper"

module Mohs
  module Probes
    class MemoryTest < TestCase
      MEGABYTE = 1024 * 1024

      # At rest: one that allocates between the two readings may be above the peak that was read.
      test "a process has RSS, PSS and a peak, in that relation" do
        with_forks("") do |pids|
          memory = Memory.read(pids.first(1))
          assert memory[:pss_complete]
          assert_operator memory[:pss_bytes], :<=, memory[:rss_bytes]
          assert_operator memory[:rss_bytes], :<=, memory[:peak_rss_bytes]
          assert_operator memory[:pss_bytes], :>, MEGABYTE
        end
      end

      test "shared pages count once in PSS and twice in RSS" do
        with_forks("") do |pids|
          memory = Memory.read(pids)
          assert_operator memory[:rss_bytes], :>, memory[:pss_bytes] * 1.2
        end
      end

      test "trees of different programs cost what each costs" do
        with_forks("") do |pids|
          whole, *each = [pids, *pids.map { |pid| [pid] }].map { |tree| Memory.read(tree) }
          apart = Memory.read(*pids.map { |pid| [pid] })

          assert_operator apart[:tree_bytes], :>, whole[:tree_bytes]
          sum = each.sum { |one| one[:tree_bytes] }
          assert_in_delta sum, apart[:tree_bytes], 0.02 * sum
          assert_equal pids, (apart[:processes].map { |one| one[:pid] })
        end
      end

      # With a library that no other Ruby of this machine maps, of those that come and go.
      test "what a tree costs does not depend on who else maps the same files" do
        with_files do |folder|
          RbConfig::CONFIG["LIBRUBY_ALIASES"].split.each do |name|
            FileUtils.cp(library, File.join(folder, name))
          end
          env = { "LD_LIBRARY_PATH" => folder }
          with_forks("", env:) do |pids|
            assert_includes File.read("/proc/#{pids.last}/maps"), folder
            alone = Memory.read(pids.last(1))
            with_forks("", env:) do
              beside = Memory.read(pids.last(1))
              assert_operator beside[:pss_bytes], :<, alone[:pss_bytes]
              assert_in_delta alone[:tree_bytes], beside[:tree_bytes], 0.02 * alone[:tree_bytes]
            end
          end
        end
      end

      test "private memory of forks counts once in what the tree costs" do
        with_forks("") do |pids|
          memory = Memory.read(pids)
          assert_operator memory[:tree_bytes], :<, memory[:rss_bytes]
          assert_operator memory[:tree_bytes], :>=, memory[:pss_bytes] - MEGABYTE
        end
      end

      test "private and shared memory are what smaps says of each mapping" do
        with_forks("$kept = Array.new(200_000) { |i| i.to_s }") do |pids|
          memory = Memory.read(pids)
          all = pids.map { |pid| smaps(pid) }
          assert_near all.sum { |one| one["Private_Clean"] + one["Private_Dirty"] },
                      memory[:private_bytes]
          assert_near all.sum { |one| one["Shared_Clean"] + one["Shared_Dirty"] },
                      memory[:shared_bytes]
          assert_near all.sum { |one| one["Pss"] }, memory[:pss_bytes]
        end
      end

      test "each process has its own figures, which add up to those of the tree" do
        with_forks("a = 'x' * #{60 * MEGABYTE}") do |pids|
          memory = Memory.read(pids)
          each = memory[:processes]
          assert_equal pids, each.map { |one| one[:pid] }
          %i[rss_bytes pss_bytes private_bytes shared_bytes peak_rss_bytes].each do |figure|
            assert_equal memory[figure], each.sum { |one| one[figure] }, figure.to_s
          end
          assert_operator each.last[:private_bytes], :>, 60 * MEGABYTE
          assert_match(/\Aruby -e/, each.first[:name])
        end
      end

      test "a peak is remembered by the kernel after the memory went" do
        with_forks("a = 'x' * #{60 * MEGABYTE}; a.clear") do |pids|
          memory = Memory.read(pids.last(1))
          assert_operator memory[:peak_rss_bytes] - memory[:rss_bytes], :>, 40 * MEGABYTE
        end
      end

      test "processes that are gone, and zombies, count as nothing" do
        pid = spawn("true")
        sleep 0.01 until File.read("/proc/#{pid}/stat").split[2] == "Z"
        nothing = { rss_bytes: 0, pss_bytes: 0, tree_bytes: 0, private_bytes: 0, shared_bytes: 0,
                    peak_rss_bytes: 0, pss_complete: true, processes: [] }
        assert_equal nothing, Memory.read([pid, 4_000_000])
        assert_equal 0, Memory.rss_bytes([pid, 4_000_000])
      ensure
        ::Process.wait(pid)
      end

      test "the sampler sees a peak between start and stop, in processes that came meanwhile" do
        pids = [::Process.pid]
        sampler = Memory::Sampler.new(-> { pids }, interval_s: 0.005).start
        before = Memory.rss_bytes(pids)
        with_forks("a = 'x' * #{60 * MEGABYTE}") do |more|
          pids = [::Process.pid, *more]
          assert_operator sampler.stop, :>, before + (60 * MEGABYTE)
        end
      end

      test "the sampler stops at once, again and without a start, and leaves no thread" do
        sampler = Memory::Sampler.new(-> { [::Process.pid] }, interval_s: 3600)
        assert_equal 0, sampler.stop
        threads = Thread.list.size
        peak = sampler.start.stop
        assert_operator peak, :>, MEGABYTE
        assert_equal [peak, threads], [sampler.stop, Thread.list.size]
      end

      private

      # { "Pss" => bytes, .. }: all mappings of a process added up.
      def smaps(pid)
        rows = File.read("/proc/#{pid}/smaps").scan(/^(\w+):\s+(\d+) kB$/)
        rows.group_by(&:first).transform_values { |all| all.sum { |_, size| size.to_i * 1024 } }
      end

      # The two readings are not of the same moment.
      def assert_near(expected, actual)
        assert_in_delta expected, actual, (0.02 * expected) + MEGABYTE
      end

      def library
        File.read("/proc/self/maps").scan(%r{/\S*libruby\S*$}).first || skip("a Ruby in one file")
      end

      # Two processes of one program, the second forked by the first, after which it runs `script`.
      def with_forks(script, env: {})
        program = "$stdout.sync = true; fork { #{script}; puts Process.pid; sleep };" \
                  "puts Process.pid; $stdin.read"
        pipe = IO.popen([env, "ruby", "-e", program], "r+")
        pids = Array.new(2) { pipe.gets.to_i }.sort_by { |pid| pid == pipe.pid ? 0 : 1 }
        yield pids
      ensure
        ::Process.kill("KILL", pids.last)
        pipe.close
      end
    end
  end
end
