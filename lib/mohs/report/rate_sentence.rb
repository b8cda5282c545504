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
        when "none" then "#{limit.figure} was never below #{limit.time}: not at #{tried(:min)} " \
                         "requests/s either."
        when "at_least" then "#{limit.figure} stayed below #{limit.time} at every rate tried, up " \
                             "to #{tried(:max)} requests/s: the time did not reach for more."
        when "gone" then "The server gave no answer any more#{last}."
        when "spoiled" then "The driver could not make that load here: #{reason}."
        else "The time did not reach for a single probe."
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
