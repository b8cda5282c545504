# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Requests that got no response, or one that is not HTTP. (Checks::Answers handles wrong
      # responses.)
      class Errors < Base
        # From this share on, errors alone can amount to the smallest difference that matters (the
        # margin, 1 %).
        VOID = 0.01

        FAILED = lambda do |values, numbers|
          what = { openings: "connections", messages: "messages" }
                 .find { |key, _| values[key] }&.last || "requests"
          late = "; these were not open when their slice was over: too many for the server, or " \
                 "--slice is too short"
          unopened = values[:openings] && values[:errors].to_h.key?(Load::IN_FLIGHT)
          "#{numbers.percent(values[:share])} of the #{what}" \
            "#{' of the cold start' if values[:cold]} failed: #{numbers.counts(values[:errors])}" \
            "#{late if unopened}"
        end

        WORDS = {
          nothing_sent: "nothing was sent",
          none: "none in %{sent|count} requests",
          failed: FAILED,
          failed_shown: lambda do |values, numbers|
            "#{FAILED.call(values, numbers)}; the first began #{values[:first]}"
          end,
        }.freeze

        private

        def judge
          return unknown(:nothing_sent) if total(:sent).zero?

          worst = failed.max_by { |values| values[:share] }
          return pass(:none, sent: sum(measured) + sum(batches)) unless worst

          kind = worst[:first] ? :failed_shown : :failed
          worst[:share] < VOID ? warn(kind, **worst) : bad(kind, **worst)
        end

        # The batches of a cold start are not a warm-up: their times are figures.
        def batches = facts[:slices].first(facts[:cold_batches].to_i)

        # The values for each part in which requests failed. Connections of streams are judged
        # apart: many messages on those that were held must not hide the others.
        def failed
          parts = { what => measured, { cold: true } => batches }.map do |part, slices|
            [part, errors_of(slices).except(*Answers::WRONG), sum(slices)]
          end
          [*parts, openings].filter_map do |part, errors, sent|
            { **error_values(errors, sent), **part } unless errors.empty?
          end
        end

        # What the counts of slices count: requests, messages, or connections.
        def what
          streams = measured.filter_map { |slice| slice[:streams] }
          return {} if streams.empty?

          counts = streams.filter_map { |one| one[:messages] }
          sent = counts.any? { |one| one.values_at(:sent, :unsent).any?(&:positive?) }
          { (sent ? :messages : :openings) => true }
        end

        def openings
          streams = measured.filter_map { |slice| slice[:streams] }
          errors = Figures.sum(streams.flat_map { |one| [one[:failed], dropped(one)] })
          [{ openings: true }, errors, streams.sum { |one| one[:asked] }]
        end

        # Event streams may end once they have their first event: a comparison looks at how many
        # lasted.
        def dropped(streams)
          count = streams[:dropped].to_i
          streams[:messages] && count.positive? ? { "dropped" => count } : {}
        end

        def sum(slices) = slices.sum { |slice| slice[:sent] }
      end
    end
  end
end
