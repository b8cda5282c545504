# frozen_string_literal: true

module Mohs
  module Tune
    # The figures of a tuning: a row's, and those of its setting.
    class Figures < Exporters::Figures
      KIND = View::KIND
      METRICS = {
        **METRICS,
        **metrics(["figure_ms", "figure", "ms", "less", "the limited figure at that rate"],
                  ["cost_per_million", "cost_per_million", "price", "less",
                   "cost of a million requests at that rate"]),
      }.freeze
      SETTINGS = %i[rate_per_s figure_ms cost_per_million].freeze

      private

      def others(row)
        one = @document[:settings].to_a.find { |setting| setting[:name] == row[:variant] }
        return [] unless one

        SETTINGS.map do |key|
          found = one[key] or next
          more = key == :rate_per_s ? recommended(one) : {}
          figure(key.to_s, **found.slice(:value, :low, :high), **more)
        end
      end

      # The verdict on a setting's rate; verdicts of the race are about other rates.
      def recommended(setting)
        picked = @document[:recommendation]
        return { verdict: setting[:state] } unless picked && picked[:name] == setting[:name]

        effect({ effect: picked[:gain], interval: picked[:interval] }, "recommended")
      end
    end
  end
end
