# frozen_string_literal: true

require "test_helper"

module Mohs
  module Probes
    # On files as /proc has them; test/integration/probes has processes.
    class KernelFiguresTest < TestCase
      # minflt and majflt with those of children beside them, utime and stime likewise.
      STAT = "%d (a b) c) S 1 2 3 4 5 6 %d 900 %d 901 %d %d 7 8 20 0 1 0 4\n"
      STATUS = "Name:\tx\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n"
      FACTS = %i[minor_faults major_faults user_ns system_ns programs_ns].freeze
      OF_THREADS = %i[voluntary_switches involuntary_switches cpu_wait_ns].freeze

      test "processes and their threads are summed" do
        with_files({}) do |folder|
          process(folder, 7, [10, 1, 5, 2])
          process(folder, 8, [20, 2, 6, 3])
          thread(folder, 7, 7, [100, 10, 1_000, 50])
          thread(folder, 7, 9, [200, 20, 2_000, 60])
          thread(folder, 8, 8, [300, 30, 3_000, 70])

          expected = { minor_faults: 30, major_faults: 3, user_ns: 110_000_000,
                       system_ns: 50_000_000, programs_ns: 300_000_000,
                       voluntary_switches: 600, involuntary_switches: 60, cpu_wait_ns: 180,
                       threads: 3 }
          assert_equal expected, KernelFigures.new(proc: folder).read([7, 8])
        end
      end

      test "threads that ran since the reading before are busy, a new one as well" do
        with_files({}) do |folder|
          process(folder, 7, [0, 0, 0, 0])
          3.times { |tid| thread(folder, 7, tid, [0, 0, 5_000_000, 0]) }
          figures = KernelFigures.new(proc: folder)
          refute_includes figures.read([7]), :threads_busy
          thread(folder, 7, 0, [0, 0, 6_000_000, 0])
          thread(folder, 7, 1, [0, 0, 5_999_999, 0])
          thread(folder, 7, 3, [0, 0, 1_000_000, 0])

          assert_equal [4, 2], figures.read([7]).values_at(:threads, :threads_busy)
        end
      end

      test "the thread that answers mohs is not one of the server's" do
        with_files({}) do |folder|
          process(folder, 7, [0, 0, 0, 0])
          thread(folder, 7, 7, [100, 10, 5_000_000, 50])
          thread(folder, 7, 8, [3, 2, 5_000_000, 60])
          status = "#{folder}/7/task/8/status"
          File.write(status, File.read(status).sub("Name:\tx", "Name:\tmohs inside"))
          figures = KernelFigures.new(proc: folder)
          figures.read([7])
          [7, 8].each { |tid| File.write("#{folder}/7/task/#{tid}/schedstat", "9000000 60 5\n") }

          expected = { voluntary_switches: 100, involuntary_switches: 10, cpu_wait_ns: 60,
                       threads: 1, threads_busy: 1 }
          assert_equal expected, figures.read([7]).except(*FACTS)
        end
      end

      test "what a thread had counted is lost with it, from then on" do
        with_files({}) do |folder|
          process(folder, 7, [1, 1, 1, 1])
          2.times { |tid| thread(folder, 7, tid, [1, 1, 1, 1]) }
          figures = KernelFigures.new(proc: folder)
          assert_equal FACTS + OF_THREADS, counters(figures.read([7]))
          FileUtils.rm_r("#{folder}/7/task/1")

          2.times { assert_equal FACTS, counters(figures.read([7])) }
        end
      end

      test "a process takes all that it had counted with it" do
        with_files({}) do |folder|
          [7, 8].each do |pid|
            process(folder, pid, [1, 1, 1, 1])
            thread(folder, pid, pid, [1, 1, 1, 1])
          end
          figures = KernelFigures.new(proc: folder)
          figures.read([7, 8])
          FileUtils.rm_r("#{folder}/8")

          2.times { assert_equal({ threads: 1, threads_busy: 0 }, figures.read([7, 8])) }
        end
      end

      test "a kernel that does not count waiting for cores says nothing of it" do
        ["0 0 0", nil].each do |schedstat|
          with_files({}) do |folder|
            process(folder, 7, [1, 1, 1, 1])
            thread(folder, 7, 7, [1, 1, 1, 1], schedstat)
            figures = KernelFigures.new(proc: folder)
            found = Array.new(2) { figures.read([7]) }.last
            assert_equal [FACTS + OF_THREADS - [:cpu_wait_ns], nil],
                         [counters(found), found[:threads_busy]]
          end
        end
      end

      test "of processes that are gone, or none, nothing is said but that there are no threads" do
        assert_equal({ threads: 0 }, KernelFigures.new(proc: "/mohs-no-such").read([7]))
        assert_equal({ threads: 0 }, KernelFigures.new.read([]))
      end

      test "its names are those of the list" do
        names = FACTS + OF_THREADS + %i[threads threads_busy]

        assert_equal Analysis::Measures.names(:kernel).sort, names.sort
      end

      private

      def counters(figures) = figures.keys.select { |name| Analysis::Measures::ALL[name].counter? }

      def process(folder, pid, numbers)
        FileUtils.mkdir_p("#{folder}/#{pid}/task")
        File.write("#{folder}/#{pid}/stat", format(STAT, pid, *numbers))
      end

      def thread(folder, pid, tid, numbers, schedstat = "#{numbers[2]} #{numbers[3]} 5\n")
        path = "#{folder}/#{pid}/task/#{tid}"
        FileUtils.mkdir_p(path)
        File.write("#{path}/status", format(STATUS, *numbers.first(2)))
        File.write("#{path}/schedstat", schedstat) if schedstat
      end
    end
  end
end
