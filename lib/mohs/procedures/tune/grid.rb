# frozen_string_literal: true

module Mohs
  module Tune
    # Processes x threads: the settings of a server that are worth racing on a number of cores, and
    # settings that people ask about but that can't be judged here. What a process takes of the
    # memory is only known once it was measured (Tune::MemoryLimit). Pure.
    class Grid
      # A new Rails application has 3 threads, before 7.2 it had 5; Puma by itself has 5, and 16 on
      # JRuby.
      THREADS = [1, 2, 3, 5, 8, 16].freeze

      # Steps in which the number of processes grows to one for each core.
      STEPS = 4

      # Numbers of processes that guides recommend beyond one for each core.
      BEYOND = [->(cores) { (1.5 * cores).ceil }, ->(cores) { (2 * cores) + 1 }].freeze

      # `reason`: why the setting can't be judged; nil if it can.
      Cell = Struct.new(:processes, :threads, :reason, keyword_init: true) do
        include Value
      end

      # cores: of the server. quota_cores: that its processes may use together, nil for all; a
      # remaining fraction of a core gets no process.
      #: (cores: Integer, ?quota_cores: Numeric?) -> void
      def initialize(cores:, quota_cores: nil)
        @quota_cores = quota_cores if quota_cores && quota_cores.floor < cores
        @cores = @quota_cores ? [@quota_cores.floor, 1].max : cores
      end

      # Ordered by processes, then threads.
      #: () -> Array[Tune::Grid::Cell]
      def cells
        @cells ||= processes.product(THREADS).map do |count, threads|
          Cell.new(processes: count, threads:, reason: crowded(count))
        end
      end

      # The most processes that settings race with because a quota limits the cores; nil if there is
      # no such quota.
      #: () -> Integer?
      def most_by_quota = (@cores if @quota_cores)

      # The cells to race.
      #: () -> Array[Tune::Grid::Cell]
      def candidates = cells.reject(&:reason)

      private

      def processes
        within = (1..STEPS).map { |step| (step * @cores).fdiv(STEPS).ceil }
        [1, *within, *BEYOND.map { |rule| rule.call(@cores) }].uniq.sort
      end

      # With more processes than cores, processes take turns: the result shows how the kernel shares
      # a core.
      def crowded(processes)
        return if processes <= @cores

        return Reason.new(code: "more_processes_than_quota",
                          values: { processes:, cores: @quota_cores }) if @quota_cores

        Reason.new(code: "more_processes_than_cores", values: { processes:, cores: @cores })
      end
    end
  end
end
