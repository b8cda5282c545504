# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs compare A B`: measures two variants side by side until it is decided which is faster.
    class Compare < Measuring
      SUMMARY = "Compares two variants: which is faster, by how much, how sure."
      USAGE = "mohs compare A B [options]"
      ARGUMENTS = (2..2)

      EXAMPLES = <<~'TEXT'

        A and B are variants: a Ruby, its flags, a server with processes x threads, an
        environment variable, a commit, or several joined by ", " and then in quotes
        (mohs help variants):

          mohs compare 3.4.5 "3.4.5 --yjit"             does YJIT help?
          mohs compare yours "4.0.5 own-jit"            does another Ruby, with the
                                                        JIT of the application?
          mohs compare 3.1.2 3.4.5 --get /products      is a newer Ruby faster?
          mohs compare puma:1x5 puma:2x5                are two processes faster?
          mohs compare "3.4.5, puma:2x5" "3.4.5, puma:2x5, MALLOC_ARENA_MAX=2"
          mohs compare @main @HEAD --gate "p50 < +5%"   is this branch slower?
          mohs compare puma:1x5 puma:1x3 --rate 200 --metric p99
                                                        whose requests wait less?

      TEXT
      private_constant :EXAMPLES

      private

      def banner = "#{super}\n#{EXAMPLES}"

      def options(parser)
        @measurement = MeasurementOptions.new(context, tell: method(:tell))
        @measurement.define(parser, variants: false, streams: true, rated: lone?)
        @comparison = ComparisonOptions.new
        @comparison.define(parser, provisional: lone?)
        super
      end

      # Is the comparison an answer of its own, which no other has to be like?
      def lone? = true

      def declaration
        { app: context.dir, **@measurement.declaration, variants: notations,
          comparison: @comparison.to_h }
      end

      # If one variant is refused there is nothing to compare: reports that before the wait.
      def verify(study)
        raise UsageError, Mohs::Compare::PlanText.incomparable(study.variants) \
          if study.variants.any?(&:refusal)

        tell_jit(study.variants)
      end

      # Once, although a rehearsal verifies what it has found, too.
      def tell_jit(variants)
        return if @told_jit || !lone?

        @told_jit = true
        found = Mohs::Compare::OneSidedJit.of(typed_variants, variants) or return
        typed = Report::Proposal.of(invocation.to_h).without(:dry_run)
        tell(found.text((typed if typed.options.none?(&:lost))))
      end

      def missing
        "compare needs two variants, e.g. #{pair.example(arguments.first || '3.4.5')} " \
          "(mohs help variants)"
      end

      def pair
        @pair ||= Pair.new(arguments, parser.given, servers: context.servers, repository:)
      end

      def repository
        context.repository.call(@measurement.declaration.fetch(:app, context.dir))
      end

      # A variant may be compared with itself: then the second gets a name of its own.
      def notations
        pair.verify
        a, b = typed_variants
        b = Study::Notation.new(**b.to_h, label: "#{arguments.last} again") if arguments.uniq.one?
        [a, b].map { |notation| [nil, rated(notation)] }
      end

      def typed_variants
        arguments.map { |text| Study::Notation.parse(text, servers: context.servers) }
      end

      # With the rate that both have.
      def rated(notation)
        rate = @measurement.rate or return notation
        own = notation.rate
        raise UsageError, "--rate #{rate} is for A and B: leave out rate=#{own}." if own

        Study::Notation.new(**notation.to_h, rate:)
      end
    end
  end
end
