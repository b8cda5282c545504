# frozen_string_literal: true

module Mohs
  module Report
    # What a search for a rate found, in a sentence.
    class RateSentence
      #: (Analysis::Rate::Result) -> void
      def initialize(result)
        @result = result
      end

      #: () -> String
      def to_s
        case @result.outcome
        when "found" then "#{limit.figure} stays below #{limit.time} up to #{interval}."
        when "none" then "#{limit.figure} was never below #{limit.time}, not even at " \
                         "#{tried(:min)} requests/s."
        when "at_least" then "#{limit.figure} stayed below #{limit.time} at every rate tried, up " \
                             "to #{tried(:max)} requests/s; there was no time for more."
        when "gone" then "The server stopped responding#{last}."
        when "spoiled" then "The driver could not generate this load: #{reason}."
        else "There was no time for a single probe."
        end
      end

      private

      def limit = @result.limit

      def interval
        value, low, high = @result.interval.to_h.values_at(:value, :low, :high)
        "#{number(value)} requests/s [#{number(low)}, #{number(high)}]"
      end

      def tried(which) = number(counted.map(&:rate_per_s).public_send(which))

      def counted = @result.probes.reject { |probe| probe.outcome == "spoiled" }

      def last
        rate = @result.probes.last&.rate_per_s
        rate ? ", at #{number(rate)} requests/s" : ", in a closed loop"
      end

      def reason = Phrase.call(@result.probes.last.reason)

      def number(value) = Terminal::Numbers.figure(value)
    end
  end
end
