# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs compare A B`: measures two variants side by side until it is decided which is faster.
    class Compare < Measuring
      SUMMARY = "Compares two variants: which is faster, by how much, how certain."
      USAGE = "mohs compare A B [options]"
      ARGUMENTS = (2..2)

      private

      def options(parser)
        @measurement = MeasurementOptions.new(context, tell: method(:tell))
        @measurement.define(parser, variants: false)
        @comparison = ComparisonOptions.new
        @comparison.define(parser)
        super
      end

      def declaration
        { app: context.dir, **@measurement.declaration, variants: notations,
          comparison: @comparison.to_h }
      end

      def missing = 'compare needs two variants, e.g. mohs compare 3.4.5 "3.4.5 --yjit"'

      # A thing may be compared with itself: then the second gets a name of its own.
      def notations
        a, b = arguments.map { |text| Study::Notation.parse(text, servers: context.servers) }
        b = Study::Notation.new(**b.to_h, label: "#{arguments.last} again") if arguments.uniq.one?
        [[nil, a], [nil, b]]
      end

      def intent(plan_text) = plan_text.head
    end
  end
end
