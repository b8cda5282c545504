# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The warm-up ended because the server was warm, not because time was up. A server whose rate
      # still rose, or whose compilers still worked, has no rate: what it would serve later is
      # unknown (Trial::WarmUp::Curve). The same is true of a JVM that was not shown to be warm.
      # Another server whose cost only varied, or whose warm-up was too short to tell, is measured
      # as it is.
      class Steady < Base
        # The code of the finding for which a trial has no rate.
        RISING = Store::Trial::RISING

        WORDS = {
          warm: "warm after %{requests|count} requests in %{seconds|seconds}",
          capped: "not steady: the cost of a response still changed after %{requests|count} " \
                  "requests in %{seconds|seconds}",
          short: lambda do |values, numbers|
            "not known to be steady: #{numbers.whole(values[:requests])} requests in " \
              "#{time(values[:seconds], numbers)} are too few to tell whether its rate still " \
              "rises (#{longer(values, numbers)})"
          end,
          replaced: "not known to be steady: in a warm-up of %{seconds|seconds} its processes " \
                    "were replaced %{renewed|count} times by others, which are not warm",
          rising: lambda do |values, numbers|
            first, last = values.values_at(:first_per_s, :last_per_s).map { numbers.short(_1) }
            "#{sure?(values) ? 'still' : 'may still be'} rising after " \
              "#{numbers.whole(values[:requests])} requests in " \
              "#{time(values[:seconds], numbers)}: #{first}/s at first, #{last}/s at the end" \
              "#{more(values, numbers)}; #{when_warm(values, numbers)} (#{longer(values, numbers)})"
          end,
        }.freeze

        # From so large a rise with each doubling on, and from so large a share of the server's CPU
        # time on, a rate rises and compilers work (Trial::WarmUp::Curve has how surely).
        RISES = 0.05
        IDLE = 0.05

        # If processes were replaced more often, a longer warm-up would not help.
        SELDOM = 2

        # How many times longer a warm-up should be than one that was too short, unless its engine
        # has more.
        LONGER = 2

        class << self
          private

          # What gives it longer. Older runs, whose batches were the whole warm-up, have no limit.
          def longer(values, numbers)
            seconds, most_s, *warm_s = values.values_at(:seconds, :most_s, :warm_s, :earliest_s)
            return "more batches show more" unless most_s

            needed_s = [seconds < most_s ? most_s : LONGER * seconds, *warm_s].compact.max
            "#{numbers.typed(warm_up_s: needed_s)} gives it longer"
          end

          # Was its rate seen to rise, or its compilers to work? Else it is a JVM's, of which that
          # is not excluded.
          def sure?(values)
            values[:rise].to_f >= RISES || values[:compilers].to_f >= IDLE
          end

          def more(values, numbers)
            rise = values[:rise]
            parts = [*("#{numbers.signed(1 + rise)} by each doubling" if rise&.positive?),
                     *compilers(values, numbers)]
            " (#{parts.join(', ')})" if parts.any?
          end

          def compilers(values, numbers)
            share = values[:compilers]
            return "compilers took #{numbers.percent(share)} of its CPU time" if share

            "unknown what its compilers took" unless sure?(values)
          end

          def time(seconds, numbers)
            seconds < 60 ? numbers.seconds(seconds) : numbers.duration(seconds)
          end

          def when_warm(values, numbers)
            warm_s, earliest_s = values.values_at(:warm_s, :earliest_s)
            return "warm after about #{numbers.rough_duration(warm_s)}" if warm_s
            return "unknown when it is warm" unless earliest_s

            "warm after #{numbers.rough_duration(earliest_s)} at the earliest"
          end
        end

        private

        def needs = [:warm_up]

        def judge
          warm_up = facts[:warm_up]
          values = warm_up.slice(:requests, :seconds)
          curve = warm_up[:curve].to_h
          return bad(:rising, **values, **curve.except(:rising)) if curve[:rising]
          return pass(:warm, **values) if warm_up[:outcome] == "warm"
          return warn(:replaced, **warm_up.slice(:seconds, :renewed)) if replaced?(warm_up)
          return warn(:short, **values, most_s: curve[:most_s]) if short?(warm_up[:outcome], curve)

          warn(:capped, **values)
        end

        def replaced?(warm_up) = warm_up[:outcome] == "short" && warm_up[:renewed].to_i > SELDOM

        # Was it cut off before it had served what it needs, or before its curve can tell?
        def short?(outcome, curve)
          outcome == "short" || (curve.key?(:rising) && curve[:rising].nil?)
        end
      end
    end
  end
end
