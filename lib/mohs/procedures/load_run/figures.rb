# frozen_string_literal: true

module Mohs
  class LoadRun
    # The figures of a load.
    class Figures < Exporters::Figures
      KIND = View::KIND
      METRICS = {
        **METRICS,
        **metrics(
          ["offered_per_s", "offered", "requests/s", "more", "requests due per second"],
          *LATENCIES.map do |key, title|
            ["service_#{key}_ms", "service_#{key}", "ms", "less", "#{title} of the service time"]
          end,
        ),
      }.freeze

      #: () -> Array[Exporters::Figures::Figure]
      def to_a
        sent, errors = @document.dig(:requests, :sent), @document.dig(:errors, :total)
        share = errors.fdiv(sent) if sent&.positive? && errors
        [figure("rate_per_s", value: @document[:rate_per_s]),
         figure("offered_per_s", value: @document[:offered_per_s]),
         *latencies(@document),
         *(times(@document[:service_ms], "service") if @document[:open_loop]),
         figure("error_share", value: share), *steps].compact
      end

      private

      # Figures of each rate, if an open loop has several rates.
      def steps
        @document[:steps].to_a.each.with_index(1).flat_map do |step, number|
          ends = step.values_at(:rate_per_s, :to_per_s).compact.map { |rate| rate.round(3) }
          figures = [figure("rate_per_s", value: step[:answered_per_s]),
                     figure("offered_per_s", value: step[:rate_per_s]),
                     *latencies({ latency_ms: step[:response_ms] })].compact
          name = "step #{number}: #{ends.join('..')}/s"
          figures.map { |one| Figure.new(**one.to_h, variant: name) }
        end
      end
    end
  end
end
