# frozen_string_literal: true

module Mohs
  module Analysis
    # Where the time of two variants went, by samples of their stacks, and which parts of it changed
    # beyond chance. CPU time a request is what the kernel reports for all slices, divided in
    # proportion to the samples: a profiler takes too few samples rather than the wrong ones. The
    # time that requests wait is as sampled. As in Explanation, the cohort is the unit.
    class ProfileDifference
      # `kind` is cpu or wait, `name` that of a category, or of a method with its `path` and `line`
      # (0: the whole method) and its `category`; `a` and `b` microseconds a request, `change` B - A
      # with its own interval of 95 %, `significant` if beyond chance within its family.
      Part = Struct.new(:kind, :category, :name, :path, :line, :a, :b, :change, :low, :high,
                        :significant, keyword_init: true) do
        include Value
      end

      # How many methods are compared: those that took most on either side. Smaller ones differ from
      # one boot to the next by chance.
      MOST = 30

      # Families of tests: categories and methods of both kinds of time.
      KINDS = Profile::KINDS

      # The share of the time that a process with a GVL may compute if what its threads wait for is
      # to be known: a thread that samples needs the GVL too.
      MOST_BUSY = 0.5

      # pairs: as Explanation takes them, of trials with a profile. profiles: { id of a trial =>
      # Profile }. category: that of frames.
      #: (Array[[Array[Store::Trial], Array[Store::Trial]]], profiles: Hash[Integer, Profile], category: Profile::Category, level: ^(Integer) -> Float) -> void
      def initialize(pairs, profiles:, category:, level:)
        @level = level
        @folds = pairs.map do |pair|
          pair.map do |trials|
            trials.map { |trial| Fold.new(trial, profiles.fetch(trial.id), category) }
          end
        end
      end

      # Is it known what requests waited for, on both sides?
      #: () -> bool
      def waits?
        @folds.transpose.none? { |side| Stats::Center.mean(side.flatten.map(&:busy)) > MOST_BUSY }
      end

      # Every category that took time on either side, the largest first.
      #: () -> Array[Analysis::ProfileDifference::Part]
      def categories = kinds.flat_map { |kind| parts(kind, :categories) }

      # The methods that took most, those that changed most first.
      #: () -> Array[Analysis::ProfileDifference::Part]
      def methods
        kinds.flat_map { |kind| parts(kind, :places).max_by(MOST) { |part| [part.a, part.b].max } }
             .sort_by { |part| [part.significant ? 0 : 1, -part.change.abs] }
      end

      private

      def kinds = waits? ? KINDS : KINDS - ["wait"]

      # Under a GVL, samples of waits show where, not how long: the busier a process, the fewer of
      # them are on time, so that a side which computes more seems to wait less.
      def exact?(kind) = kind == "cpu" || @folds.flatten.none?(&:gvl?)

      def parts(kind, what)
        keys = @folds.flatten.flat_map { |fold| fold.public_send(what, kind).keys }.uniq
        figures = keys.map { |key| figure(kind, what, key) }
        figures = figures.max_by(MOST) { |one| [one.a, one.b].max }
        marks = exact?(kind) ? Explanation::Figure.marked(figures, @level) : []
        figures.map { |figure| part(kind, figure, marks.include?(figure)) }
               .sort_by { |part| -[part.a, part.b].max }
      end

      def figure(kind, what, key)
        sides = @folds.map do |pair|
          pair.map do |folds|
            folds.map { |fold| amount(fold.public_send(what, kind).fetch(key, 0.0)) }
          end
        end
        Explanation::Figure.new(key, sides) # a time, like all that is not a Measure
      end

      def amount(value) = Explanation::Costs::Amount.new(value:, step: 0)

      def part(kind, figure, significant)
        low, high = figure.interval(@level.call(1)) if exact?(kind)
        Part.new(kind:, **figure.name, a: figure.a, b: figure.b, change: figure.change, low:, high:,
                 significant:)
      end

      # One trial's samples, in microseconds a request.
      class Fold
        # Lines are distinguished in code that a user can change.
        LINES = "application"

        #: (Store::Trial, Profile, Profile::Category) -> void
        def initialize(trial, profile, category)
          @attested = trial.attested
          @totals = Explanation::Costs.new(trial).totals
          @profile = profile
          @category = category
        end

        # The share of the time that each process computed while it was loaded; 0 without a GVL.
        #: () -> Float
        def busy
          return 0.0 unless gvl?

          @totals[:cpu_ns].fdiv(@totals[:span_ns]) / [@attested[:workers].to_i, 1].max
        end

        #: () -> bool
        def gvl? = Rubies::Engines.named(@attested[:engine])::GVL

        # { { category:, name: } => microseconds }.
        #: (String) -> Hash[Hash[Symbol, untyped], Float]
        def categories(kind) = folded.fetch(kind).first

        # { { category:, name:, path:, line: } => microseconds }, by the innermost frame that is
        # not Ruby's own.
        #: (String) -> Hash[Hash[Symbol, untyped], Float]
        def places(kind) = folded.fetch(kind).last

        private

        def folded
          @folded ||= KINDS.to_h { |kind| [kind, fold(kind)] }
        end

        def fold(kind)
          categories, places = Array.new(2) { Hash.new(0.0) }
          @profile.each_stack do |of, frames, weight|
            next if of != kind || (kind == "wait" && !@category.in_request?(frames))

            category = @category.of_stack(frames)
            categories[{ category:, name: category }] += weight * scale(kind)
            places[place(frames, category)] += weight * scale(kind)
          end
          [categories, places]
        end

        def place(frames, category)
          frame = frames.reverse_each.find { |one| @category.of(one) } || frames.last
          line = category == LINES ? frame.line : 0
          { category:, name: frame.name, path: frame.path, line: }
        end

        # The weight of a profiler's microsecond, a request.
        def scale(kind)
          return 1.0 / @totals[:good] if kind == "wait"

          own_us = [(@totals[:cpu_ns] / 1e3) - @profile.sampler_us, 0].max
          own_us / @totals[:good] / @profile.total("cpu")
        end
      end
      private_constant :Fold
    end
  end
end
