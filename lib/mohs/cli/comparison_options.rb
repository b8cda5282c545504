# frozen_string_literal: true

module Mohs
  class CLI
    # The options that decide when a comparison ends, read into values of Mohs::Compare::Rules.
    class ComparisonOptions
      SHARE = /\A(?<number>\d+(?:\.\d+)?)\s*%\z/

      #: () -> void
      def initialize
        @values = {}
        @gates = []
      end

      # alone: false if the comparison is one of several that lead to an answer. provisional:
      # whether its answer may be.
      #: (OptionParser, ?alone: bool, ?provisional: bool) -> void
      def define(parser, alone: true, provisional: true)
        parser.about("extent") do
          rules(parser, alone)
          quick(parser) if alone && provisional
          gates(parser) if alone
        end
      end

      # Only options that were given.
      #: () -> Hash[Symbol, untyped]
      def to_h = @gates.empty? ? @values : { **@values, gates: @gates }

      private

      def rules(parser, alone)
        beside = alone ? Mohs::Compare::Condition::BESIDE : []
        names = [*Analysis::Metric::ALL, *beside].map(&:name).join(", ")
        usual = "throughput"
        usual += ", of streams first-event, of messages echo or fan-out" if alone
        parser.on("--metric NAME", "what decides: #{names} (default: #{usual})") do |name|
          @values[:metric] = Analysis::Metric.fetch(name, *beside).name
        end
        parser.on("--margin SHARE", "the difference that matters (default: #{margin})") do |text|
          @values[:margin] = share("--margin", text)
        end
        parser.on("--precision SHARE", "stop when half the interval is this: 0.5%") do |text|
          @values[:precision] = share("--precision", text)
        end
      end

      def quick(parser)
        parser.on("--quick", "a provisional answer after the first #{first_look} cohorts") do
          @values[:quick] = true
        end
      end

      def gates(parser)
        parser.on("--gate \"M < +N%\"", "a condition for the exit status; repeatable") do |text|
          @gates << Mohs::Compare::Condition.parse(text)
        end
      end

      def margin = Report::Numbers.option_percent(Mohs::Compare::Rules::MARGIN)

      def first_look = Mohs::Compare::Question.new.first_look

      def share(option, text)
        number = SHARE.match(text)&.[](:number).to_f
        return number / 100 if number.positive? && number < 100

        raise UsageError, "#{option} #{text.inspect}: write it in per cent, 1% or 0.5%"
      end
    end
  end
end
