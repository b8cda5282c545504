# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs run-cohort ID`: one try at one cohort, as the workers of a fleet and Slurm start it.
    class RunCohort < Base
      SUMMARY = "Measures one cohort of a run, for a fleet's launcher."
      USAGE = "mohs run-cohort ID [options]"
      ARGUMENTS = (1..1)

      private

      def options(parser)
        parser.on("--host NAME", "of this host (default: its node in Slurm,",
                  "or its host name)") do |name|
          @host = Mohs::Fleet.name(name)
        end
      end

      def execute
        id = Options.whole(arguments.first, option: "ID")
        signals = StopSignals.new
        signals.during do
          outcome = attempt(id).call
          tell("cohort #{id}: #{outcome}")
          outcome == "elsewhere" ? 1 : 0 # whoever has it may die
        rescue SignalException
          signals.status
        end
      end

      def attempt(id)
        Folders.verify(context.env)
        Mohs::Process::Tree.verify
        store = context.store.call
        packs = store.method(:pack)
        host = @host || context.env[Trial::Setups::NODE] || Socket.gethostname
        Mohs::Fleet::Attempt.new(store:, cohort_id: id, host:,
                                 setups: Trial::Setups.new(env: context.env, packs:))
      end
    end
  end
end
