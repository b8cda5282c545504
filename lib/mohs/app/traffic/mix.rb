# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # The result of reading logs: `requests` [App::Request] with their counts as weights; `files`
      # [{ path:, format:, lines: }]; `logged`, the number of requests in them, `repeatable`, how
      # many of these can be repeated, `distinct`, how many different ones there are among the
      # repeatable (if `short_by` isn't 0 there were more, and a weight may be too low by up to that
      # number), `kept`, how many of the repeatable ones `requests` stand for; `left_out` { reason
      # => count }; `unreadable` { lines:, first: location and beginning of the first such line, or
      # nil }; `dropped`, what is not sent: { headers: { name => number of requests }, parameters:
      # the same }.
      class Mix < Struct.new(:requests, :files, :logged, :repeatable, :distinct, :short_by, :kept,
                             :left_out, :unreadable, :dropped, keyword_init: true)
        include Value

        # How many names are listed.
        NAMES = 5

        # Lines for the user: what is measured, and what is not.
        #: () -> Array[String]
        def notes = [*read, share, *skipped, *unread, *secrets]

        # As in docs/json.md.
        #: () -> Hash[Symbol, untyped]
        def document
          { **to_h.slice(:files, :logged, :repeatable, :distinct, :kept, :unreadable),
            requests: requests.size, exact: short_by.zero?, share: kept.fdiv(repeatable),
            left_out: left_out.map { |reason, count| { reason:, count: } },
            dropped: dropped.transform_values(&:keys) }
        end

        private

        def read
          files.map { |file| "#{file[:path]} (#{file[:format]}): #{number(file[:lines])} lines" }
        end

        def share
          few = "#{number(requests.size)} most frequent of #{number(distinct)} distinct requests"
          few = "all #{number(distinct)} distinct requests" if requests.size == distinct
          more = ", counted with an error of at most #{number(short_by)}" if short_by.positive?
          share = kept == repeatable ? "all" : "#{format('%.3g', 100.0 * kept / repeatable)} %"
          "  #{few}#{more}: #{share} of the #{number(repeatable)} that can be repeated, " \
            "of #{number(logged)} logged"
        end

        def skipped
          return if left_out.empty?

          reasons = left_out.sort_by { |_, count| -count }
                            .map { |reason, count| "#{number(count)} #{reason}" }
          "  left out: #{reasons.join(', ')}"
        end

        def unread
          return if unreadable[:lines].zero?

          lines = files.sum { |file| file[:lines] }
          "  #{number(unreadable[:lines])} of #{number(lines)} lines could not be read, " \
            "the first: #{unreadable[:first]}"
        end

        def secrets
          { headers: "headers not sent", parameters: "secrets dropped from query strings" }
            .filter_map do |kind, words|
              names = dropped[kind].sort_by { |_, count| -count }.map(&:first)
              "  #{words}: #{Wording.few(names, NAMES)}" if names.any?
            end
        end

        def number(value) = Wording.thousands(value)
      end
    end
  end
end
