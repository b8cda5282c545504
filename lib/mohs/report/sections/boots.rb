# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Each boot by itself.
      class Boots < Base
        KEY = "boots"
        TITLE = "Boots"
        HOW = "Each mark is one boot of the server, the upright line their mean. Their spread is " \
              "what a fresh start alone changes: it takes many boots to see a smaller difference."
        HEAD = ["variant", "round", "%s/s", "p50 ms", "p99 ms", "CPU µs", "MB", "boot ms"].freeze

        private

        def any? = booted.any?

        def parts = boots

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

        def boots
          rows = booted.map { |one| row(one) }
          head = HEAD.map { |name| name.sub("%s", unit) }
          [Parts::Dots.new(key: "plot", title: "#{unit.capitalize} per second of each boot",
                           text: spoken(rows), rows:, unit: :per_s),
           folded("Figures of each boot",
                  listed("Each boot", head, booted.flat_map { |one| cells(one) }))]
        end

        def row(one)
          known = one[:boots].select { |boot| measured?(boot) }
          rates = known.map { |boot| rate(boot) }
          marks = rates.map.with_index(1) do |rate, at|
            [rate, :boot, "#{one[:variant]}: boot #{at}, #{Numbers.figure(rate)} #{unit}/s"]
          end
          low, high = rates.minmax
          { name: one[:variant], from: low, to: high,
            text: "#{Numbers.counted(rates.size, 'boot')}, " \
                  "#{Numbers.figure(low)} to #{Numbers.figure(high)}/s",
            marks: [*marks, mean(one[:variant], rates)] }
        end

        def mean(name, rates)
          mean = rates.sum / rates.size
          [mean, :mean, "#{name}: mean #{Numbers.figure(mean)} #{unit}/s"]
        end

        def cells(one)
          one[:boots].map do |boot|
            figures = boot.values_at(:p50_ms, :p99_ms, :cpu_us_per_request)
            [one[:variant], boot[:round], figure(rate(boot)),
             *figures.map { |value| figure(value) },
             figure(boot[:memory_bytes]&.fdiv(Numbers::MEGABYTE)), figure(boot[:boot_ms])]
          end
        end
      end
    end
  end
end
