# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Each boot by itself, or each cohort of a comparison.
      class Boots < Section
        ID = "boots"
        HOW = "Each mark is one boot of the server, the upright line their mean. Their spread is " \
              "what a fresh start alone changes: it takes many boots to see a smaller difference."
        OF_COHORTS = "Each mark is B against A in one cohort of servers that ran at the same " \
                     "time: what the interval is computed from."
        HEAD = ["variant", "round", "%s/s", "p50 ms", "p99 ms", "CPU µs", "MB", "boot ms"].freeze

        #: () -> bool
        def any? = booted.any? || differences.size > 1

        #: () -> untyped
        def content = [(boots if booted.any?), (cohorts if differences.size > 1)]

        private

        def title = booted.any? ? "Boots" : "Cohorts"

        def how = booted.any? ? HOW : OF_COHORTS

        def booted
          @booted ||= curves.select { |one| one[:boots].to_a.any? { |boot| measured?(boot) } }
        end

        def measured?(boot) = !boot[:throughput_per_s].nil?

        # The boot's rate, in jobs if each request is a batch of jobs.
        def rate(boot)
          estimate = { throughput_per_s: { value: boot[:throughput_per_s] } }
          Unit.rate(@document, estimate)[:value]
        end

        def unit = Unit.name(@document)

        # [[cohort, ratio], ...] of a comparison.
        def differences
          metric = @document.dig(:verdict, :metric)
          @document[:observations].to_a.filter_map do |one|
            log = one[:differences].to_h[metric&.to_sym]
            [one[:cohort], Math.exp(log)] if log
          end
        end

        def boots
          rows = booted.map { |one| row(one) }
          scale = Scale.linear(rows.flat_map { |one| one[:marks].map(&:first) })
          dots = Dots.new(rows, scale:) { |tick| "#{Plot.tick(tick)}/s" }
          head = HEAD.map { |name| name.sub("%s", unit) }
          [dots.draw(plot("plot", title: "#{unit.capitalize} per second of each boot",
                                  text: spoken(rows), height: dots.height)),
           folded("Figures of each boot",
                  table("Each boot", head, booted.flat_map { |one| cells(one) }))]
        end

        def row(one)
          known = one[:boots].select { |boot| measured?(boot) }
          rates = known.map { |boot| rate(boot) }
          marks = rates.map.with_index(1) do |rate, at|
            [rate, :disc, "boot-mark",
             "#{one[:variant]}: boot #{at}, #{Numbers.figure(rate)} #{unit}/s"]
          end
          low, high = rates.minmax
          { name: one[:variant], from: low, to: high,
            text: "#{Numbers.counted(rates.size, 'boot')}, " \
                  "#{Numbers.figure(low)} to #{Numbers.figure(high)}/s",
            marks: [*marks, mean(one[:variant], rates)] }
        end

        def mean(name, rates)
          mean = rates.sum / rates.size
          [mean, :tick, "mean", "#{name}: mean #{Numbers.figure(mean)} #{unit}/s"]
        end

        def cells(one)
          one[:boots].map do |boot|
            figures = boot.values_at(:p50_ms, :p99_ms, :cpu_us_per_request)
            [one[:variant], boot[:round].to_s, figure(rate(boot)),
             *figures.map { |value| figure(value) }, figure(boot[:memory_bytes]&.fdiv(1e6)),
             figure(boot[:boot_ms])]
          end
        end

        def cohorts
          points = differences.map do |cohort, ratio|
            { name: "cohort #{cohort + 1}", text: Numbers.signed(ratio), outcome: "", value: ratio,
              ends: nil }
          end
          intervals = Intervals.new(points, margin: @document[:margin])
          picture = intervals.draw(plot("cohorts", title: "B against A in each cohort",
                                                   text: points.map { |one| one[:text] }.join("; "),
                                                   height: intervals.height))
          booted.any? ? folded("B against A, cohort by cohort", element(:p, OF_COHORTS),
                               picture) : picture
        end
      end
    end
  end
end
