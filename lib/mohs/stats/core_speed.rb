# frozen_string_literal: true

module Mohs
  module Stats
    # Removes from each slice the effect of its core and of the memory behind it. On a virtual
    # machine a core is often half a physical one, and slows by a third while a neighbour works on
    # the other half; cache and memory are shared with more neighbours. Slices of one server then
    # vary by 10 to 20 %, and most of that is explained by how long the same two pieces of work took
    # on that core at that time (core/core_speed.h). These are the same for every variant, so they
    # can serve as control variates (Lavenberg and Welch 1981, "A perspective on the use of control
    # variables to increase the efficiency of Monte Carlo simulations").
    #
    # How strongly a metric follows them is estimated within each server's own slices, where nothing
    # else differs: one slope for each piece of work, the same for all servers. The slopes are
    # shrunk towards 0 as if their prior were 0 with an sd of PRIOR (ridge regression): if the core
    # speed hardly varied, its apparent effect is chance.
    class CoreSpeed
      # Names of the pieces' times in a slice (Load::StepResult#thread_stats).
      KINDS = %i[pace_ns memory_ns].freeze

      # Observed slopes are 0.4 to 1; they are larger for a piece of work that explains less.
      PRIOR = 2.0
      # Nothing slows by so much more than the piece of work: a steeper slope means that two things
      # grew at once.
      STEEPEST = -4.0

      # By how much a variant may itself change the time of the pieces of work, in logarithms:
      # declared, since intervals of the measured change reach further (docs/calibration.md). No
      # number of cohorts reduces it.
      BOUNDS = { pace_ns: 0.006, memory_ns: 0.01 }.freeze

      # An adjustment pays if what cores add to a slice, divided by the bias and multiplied by the
      # interval's half width, is at least this. Simulated, on hosts that are quiet, or restless in
      # every tenth or third cohort, intervals after 3, 6 and 10 cohorts are about as narrow as with
      # the best fixed choice.
      WORTH = 10

      # A server with fewer slices says nothing about their differences.
      FEWEST = 3

      # servers: the measured slices of each server, with the times of the pieces of work under
      # the key :pulse.
      #: (Array[Array[Store::Slice | Hash[Symbol, untyped]]]) -> void
      def initialize(servers)
        @servers = servers
        @slopes = {}
        @logs = {}.compare_by_identity
      end

      # { metric => what to add to its logarithm } to convert the slice to the mean speed; empty if
      # the speed was not measured.
      #: (Store::Slice | Hash[Symbol, untyped]) -> Hash[Symbol, Float]
      def shift(slice)
        logs = logs(slice) or return {}
        @means ||= means(@servers.flatten(1).filter_map { |one| logs(one) })
        below = minus(@means, logs)
        Sample::METRICS.each_key.to_h { |metric| [metric, along(slopes(metric), below)] }
      end

      # The change of a metric, as Sample has it, if the logarithm of a piece's time grows by 1: 0
      # or below, in the order of KINDS, for the pieces that were measured.
      #: (Symbol) -> Array[Float]
      def slopes(metric)
        @slopes[metric] ||= begin
          sums = sums(metric)
          fit(sums, kinds.each_index.select { |at| sums.squares[at][at].positive? })
        end
      end

      # How far a difference in a metric, a logarithm, may be off if the pieces of work take longer
      # beside one of the two variants, by BOUNDS at most; 0 if the speed was not measured.
      #: (Symbol) -> Float
      def bias(metric)
        slopes(metric).zip(kinds).sum(0.0) { |slope, kind| slope.abs * BOUNDS.fetch(kind) }
      end

      # Whether an adjustment removes more than the bias that it may add. This is decided from
      # slices within servers alone. Choosing by the spread between boots, which tests divide by,
      # would favour whichever came out too small by chance: A/A runs of three rounds then differed
      # in 8 of 100 instead of 5. bound: half of the coming interval, in sds of a cohort's
      # difference; with more cohorts the bias is a larger part of it.
      #: (Symbol, bound: Float) -> bool
      def worth?(metric, bound:)
        bias = bias(metric)
        bias.positive? && bound * removed_sd(metric) >= WORTH * bias
      end

      # The share of the variance within servers that is removed (0 to 1); nil if no speed was
      # measured.
      #: (Symbol) -> Float?
      def explained(metric)
        sums = sums(metric)
        1 - (sums.left(slopes(metric)) / sums.total) if sums.total.positive?
      end

      private

      # Over all measured slices, each relative to its server's own means: sums of the products of
      # the pieces' logarithms with each other and with the metric's, and of the metric's squares.
      Sums = Struct.new(:rows, :squares, :products, :total) do
        #: (Array[Float], Float) -> void
        def add(logs, value)
          self.rows += 1
          self.total += value * value
          logs.each_with_index do |log, at|
            products[at] += log * value
            logs.each_with_index { |other, to| squares[at][to] += log * other }
          end
        end

        # The part of the metric's squares that these slopes leave.
        #: (Array[Float]) -> Float
        def left(slopes)
          along = slopes.zip(squares, products).sum do |slope, row, product|
            slope * (row.zip(slopes).sum(0.0) { |square, other| square * other } - (2 * product))
          end
          [total + along, 0.0].max
        end
      end
      private_constant :Sums

      # The sd that the slopes explain, for a slice within its server.
      def removed_sd(metric)
        sums = sums(metric)
        removed = sums.total - sums.left(slopes(metric))
        Math.sqrt([removed, 0.0].max / [sums.rows - @servers.size, 1].max)
      end

      # The kinds that were measured in any slice.
      def kinds
        @kinds ||= begin
          taken = @servers.flatten(1).filter_map { |slice| slice[:pulse] }
          KINDS.select { |kind| taken.any? { |pulse| pulse[kind] } }
        end
      end

      # Logarithms of all these kinds; nil if one is missing.
      def logs(slice)
        return if kinds.empty?

        @logs.fetch(slice) do
          times = slice[:pulse]&.values_at(*kinds)
          @logs[slice] = (times.map { |time| Math.log(time) } if times&.all?)
        end
      end

      def sums(metric)
        (@sums ||= {})[metric] ||= begin
          count = kinds.size
          sums = Sums.new(0, Array.new(count) { Array.new(count, 0.0) }, Array.new(count, 0.0), 0.0)
          @servers.each { |slices| gather(sums, slices, metric) } if count.positive?
          sums
        end
      end

      def gather(sums, slices, metric)
        rows = slices.map { |slice| [*logs(slice), Sample.measured(slice, metric)] }
                     .select { |row| row.size > kinds.size && row.all? }
        return if rows.size < FEWEST

        means = means(rows)
        rows.each { |row| minus(row, means).then { |*logs, value| sums.add(logs, value) } }
      end

      # Leaves out kinds with the wrong sign: slower work that seems to make a server faster.
      def fit(sums, free)
        found = free.zip(ridge(sums, free))
        wrong = found.max_by(&:last)
        return fit(sums, free - [wrong.first]) if wrong && wrong.last.positive?

        found.each_with_object(Array.new(kinds.size, 0.0)) do |(at, slope), slopes|
          slopes[at] = [slope, STEEPEST].max
        end
      end

      # The prior is one more row for each kind, with that kind alone and no gain.
      def ridge(sums, free)
        return [] if free.empty?

        solve(sums, free, noise(sums, free) / (PRIOR**2)) || Array.new(free.size, 0.0)
      end

      # Variance of the residuals.
      def noise(sums, free)
        slopes = Array.new(kinds.size, 0.0)
        solved = solve(sums, free, 0.0) || []
        free.zip(solved) { |at, slope| slopes[at] = slope.to_f }
        sums.left(slopes) / [sums.rows - @servers.size - free.size, 1].max
      end

      # Solves the normal equations, with `more` on the diagonal. Nil if the solution is not unique.
      def solve(sums, free, more)
        squares = free.map do |at|
          free.map { |to| sums.squares[at][to] + (at == to ? more : 0.0) }
        end
        normal = Cholesky.new(squares)
        normal.solve(free.map { |at| sums.products[at] }) unless normal.singular?
      end

      def along(slopes, logs) = slopes.each_index.sum(0.0) { |at| slopes[at] * logs[at] }

      def means(rows) = rows.transpose.map { |values| Center.mean(values) }

      def minus(row, means) = Array.new(row.size) { |at| row[at] - means[at] }
    end
  end
end
