# frozen_string_literal: true

module Mohs
  module Report
    # The answer of a bisection, from its document.
    class BisectSentence
      # Where the last comparison does not say itself what would decide it.
      MORE_TIME = " More time would tell (--budget), or a quieter host (mohs doctor)."

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
        @metric = Comparison::Metric.fetch(document[:metric])
      end

      #: () -> String
      def to_s
        case @document[:outcome]
        when "found" then "#{culprit} made it slower: #{figures}."
        when "contradicted" then contradicted
        when "unconfirmed" then "#{culprit} seems to have made it slower, but that was not " \
                                "confirmed: #{figures}.#{why}"
        when "none" then "No culprit: #{ends} #{faster? ? 'is no slower' : "don't differ"} " \
                         "(#{figures})."
        else unfinished
        end
      end

      private

      # Of whatever ended before there was one.
      def unfinished
        case @document[:outcome]
        when "range" then "It got slower in #{range}: those before the last can't be measured " \
                          "(#{figures})."
        when "invalid" then "No verdict: the ends can't be compared.#{why}"
        when "interrupted" then "Stopped. #{so_far}"
        else "Undecided. #{so_far}#{@document[:reason] ? why : MORE_TIME}"
        end
      end

      def contradicted
        "No culprit: the search led to #{culprit}, but compared with the one before it that is " \
          "no slower: #{figures}. Several small steps, or speed that varies by itself: try again."
      end

      # The first answer is about the ends: before it nobody knows that anything is to be found.
      def so_far
        return "Whether #{ends} differ is not known yet." unless slower?

        "#{@document[:bad][:name]} is slower than #{@document[:good][:name]} (#{figures}), " \
          "through #{range}."
      end

      def slower? = @document[:steps].first&.fetch(:verdict) == "slower"

      def faster? = @document[:steps].first&.fetch(:verdict) == "faster"

      def why
        reason = @document[:reason] or return ""
        " #{reason[0].upcase}#{reason[1..].delete_suffix('.')}."
      end

      def culprit
        found = @document[:found]
        found ? text(found) : "one of #{range}"
      end

      # "3f2a1b9 (2026-11-03, Count twice)"
      def text(point)
        more = point.values_at(:date, :title).compact
        more.empty? ? point[:name] : "#{point[:name]} (#{more.join(', ')})"
      end

      def range
        suspects = @document[:suspects]
        names = [suspects.first, suspects.last].map { |point| point[:name] }
        return text(suspects.first) if suspects.one?

        "#{suspects.size} candidates, from #{names.join(' to ')}"
      end

      def ends
        good, bad = @document.fetch_values(:good, :bad).map { |point| point[:name] }
        faster? ? "#{bad}, against #{good}," : "#{good} and #{bad}"
      end

      # "requests/s -4.9 % [-5.4, -4.4] against 77aa01", as the metric counts.
      def figures
        effect = @document[:effect] or return "no interval yet"

        numbers = [effect[:ratio], *effect[:interval]]
        numbers = numbers.map { |ratio| 1 / ratio } unless @metric.more
        value, *interval = numbers.map { |ratio| (ratio - 1) * 100 }
        format("%s %+.1f %% [%s] against %s", @metric.title, value,
               interval.sort.map { |end_| format("%.1f", end_) }.join(", "), effect[:a])
      end
    end
  end
end
