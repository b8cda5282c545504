# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs compare A B`: measures two variants side by side until it is decided which is faster.
    class Compare < Base
      SUMMARY = "Says which of two is faster, by how much, and how sure that is."
      USAGE = "mohs compare A B [options]"
      ARGUMENTS = (2..2)

      private

      def options(parser)
        @measurement = MeasurementOptions.new(context)
        @measurement.define(parser, variants: false)
        @comparison = ComparisonOptions.new
        @comparison.define(parser)
        parser.on("--dry-run", "print the plan and how long it takes") { @dry_run = true }
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def execute
        declaration = { app: context.dir, **@measurement.declaration,
                        variants: notations, comparison: @comparison.to_h }
        App::Folder.load(declaration.fetch(:app)) # a mistake is told before anything takes time
        laboratory = context.laboratory.call
        study = laboratory.prepare(declaration)
        plan = laboratory.plan(study)
        return dry_run(study, plan) if @dry_run

        Measurement.new(context, json: json?, quiet: @quiet).call do |on_event|
          laboratory.measure(study, plan, on_event:, argv: @argv)
        end
      end

      # A thing may be compared with itself: then the second gets a name of its own.
      def notations
        a, b = arguments.map { |text| Study::Notation.parse(text, servers: context.servers) }
        b = Study::Notation.new(**b.to_h, label: "#{arguments.last} again") if arguments.uniq.one?
        [[nil, a], [nil, b]]
      end

      def dry_run(study, plan)
        shown = Secrets.in_study(study) { Secrets::MASK }
        answer("compare", dry_run: true, study: shown.to_h, plan: plan.to_h) do
          Report::Terminal::PlanText.new(study, plan, style: context.style(context.out)).head
        end
      end
    end
  end
end
