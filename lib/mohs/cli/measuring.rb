# frozen_string_literal: true

module Mohs
  class CLI
    # What commands that measure a study have in common: --dry-run and --quiet, and the way from a
    # declaration to the table. A command says what its `declaration` is, and how it is told before
    # it runs (`intent`).
    class Measuring < Base
      private

      def options(parser)
        parser.on("--dry-run", "print the plan and how long it takes") { @dry_run = true }
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def execute
        declaration = declaration()
        App::Folder.load(declaration.fetch(:app)) # a mistake is told before anything takes time
        look_around
        laboratory = context.laboratory.call
        study = laboratory.prepare(declaration)
        plan = laboratory.plan(study)
        return dry_run(study, plan) if @dry_run

        Measurement.new(context, exporter:, quiet: @quiet).call do |on_event|
          laboratory.measure(study, plan, on_event:, argv: @argv)
        end
      end

      # What takes time before a plan can be made.
      def look_around; end

      def dry_run(study, plan)
        shown = study.map_secrets { Secrets::MASK }
        name = self.class.name[/\w+\z/].downcase
        answer(name, dry_run: true, study: shown.to_h, plan: plan.document) do
          intent(Report::Terminal::PlanText.new(study, plan, style: context.style(context.out)))
        end
      end
    end
  end
end
