# frozen_string_literal: true

module Mohs
  module Stats
    # Removes from each slice the effect of its core and of the memory behind it. On a virtual
    # machine a core is often half of one, and slows by a third while a neighbour works on the other
    # half; cache and memory are shared with more of them. Slices of one server then vary by a tenth
    # or two, and most of that is how long the same two pieces of work took on that core meanwhile
    # (core/core_speed.h). These are the same for every variant, so they can serve as control
    # variates (Lavenberg and Welch 1981, "A perspective on the use of control variables to increase
    # the efficiency of Monte Carlo simulations").
    #
    # How much a metric follows them is estimated within each server's own slices, where nothing
    # else differs: a slope for each, the same for all servers. They are drawn towards 0 as if their
    # prior were 0 with an sd of PRIOR (ridge regression): if the core speed hardly varied, its
    # apparent effect is chance.
    class CoreSpeed
      # What a slice has of it (Load::StepResult#thread_stats).
      KINDS = %i[pace_ns memory_ns].freeze

      # Slopes seen are 0.4 to 1; larger for a piece of work that explains less.
      PRIOR = 2.0
      # Nothing slows by so much more than the piece of work: two things grew at once.
      STEEPEST = -4.0

      # A server with fewer slices says nothing about their differences.
      FEWEST = 3

      # servers: of each its measured slices; what the pieces of work took is below :pulse.
      #: (Array[Array[Store::Slice | Hash[Symbol, untyped]]]) -> void
      def initialize(servers)
        @servers = servers
        @slopes = {}
      end

      # { metric => what to add to its logarithm }, so that the slice is given at the mean speed;
      # empty if the speed was not measured.
      #: (Store::Slice | Hash[Symbol, untyped]) -> Hash[Symbol, Float]
      def shift(slice)
        logs = logs(slice) or return {}
        @means ||= means(@servers.flatten(1).filter_map { |one| logs(one) })
        Sample::METRICS.keys.to_h { |metric| [metric, -along(slopes(metric), minus(logs, @means))] }
      end

      # By how much a metric, as Sample has it, changes if the logarithm of each piece's time grows
      # by 1: 0 or below, in the order of KINDS, for those that were measured.
      #: (Symbol) -> Array[Float]
      def slopes(metric)
        @slopes[metric] ||= begin
          rows = rows(metric)
          fit(rows, kinds.each_index.select { |at| rows.any? { |logs, _| logs[at].nonzero? } })
        end
      end

      # The share of the variance within servers that is removed (0 to 1); nil if no speed was
      # measured.
      #: (Symbol) -> Float?
      def explained(metric)
        rows = rows(metric)
        all = rows.sum { |_, value| value * value }
        return unless all.positive?

        slopes = slopes(metric)
        1 - (rows.sum { |logs, value| (value - along(slopes, logs))**2 } / all)
      end

      private

      # The kinds that were measured in every measured slice.
      def kinds
        @kinds ||= begin
          taken = @servers.flatten(1).filter_map { |slice| slice[:pulse] }
          KINDS.select { |kind| taken.any? { |pulse| pulse[kind] } }
        end
      end

      # Of each of the kinds; nil if one is missing.
      def logs(slice)
        return if kinds.empty?

        times = slice[:pulse]&.values_at(*kinds)
        times.map { |time| Math.log(time) } if times&.all?
      end

      # For each measured slice [logarithms of the pieces' times, of the metric], relative to its
      # server's own means.
      def rows(metric)
        return [] if kinds.empty?

        @servers.flat_map { |slices| centred(slices, metric) }
      end

      def centred(slices, metric)
        rows = slices.map { |slice| [*logs(slice), Sample.measured(slice, metric)] }
                     .select { |row| row.size > kinds.size && row.all? }
        return [] if rows.size < FEWEST

        means = means(rows)
        rows.map { |row| minus(row, means).then { |*logs, value| [logs, value] } }
      end

      # Leaves out kinds of the wrong sign: those that seem to make a server faster.
      def fit(rows, free)
        weighed = rows.map { |logs, value| [logs.values_at(*free), value, 1.0] }
        found = free.zip(ridge(weighed, free.size))
        wrong = found.max_by(&:last)
        return fit(rows, free - [wrong.first]) if wrong && wrong.last.positive?

        found.each_with_object(Array.new(kinds.size, 0.0)) do |(at, slope), slopes|
          slopes[at] = [slope, STEEPEST].max
        end
      end

      # The prior is one more row for each kind: that kind alone, and no gain.
      def ridge(rows, count)
        return [] if count.zero?

        known = Math.sqrt(noise(rows)) / PRIOR
        beside = Array.new(count) do |one|
          [Array.new(count) { |at| at == one ? known : 0.0 }, 0.0, 1.0]
        end
        LeastSquares.solve(rows + beside) || Array.new(count, 0.0)
      end

      # Variance of the residuals.
      def noise(rows)
        slopes = LeastSquares.solve(rows) || Array.new(rows.first.first.size, 0.0)
        left = rows.sum { |logs, value, _| (value - along(slopes, logs))**2 }
        left / [rows.size - @servers.size - slopes.size, 1].max
      end

      def along(slopes, logs) = slopes.zip(logs).sum(0.0) { |slope, log| slope * log }

      def means(rows) = rows.transpose.map { |values| Center.mean(values) }

      def minus(row, means) = row.zip(means).map { |value, mean| value - mean }
    end
  end
end
