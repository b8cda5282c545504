# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs run-cohort ID`: one try at one cohort, as the workers of a fleet and Slurm start it.
    class RunCohort < Base
      SUMMARY = "Measures a cohort of a run, for a fleet's launcher."
      USAGE = "mohs run-cohort ID|- [options]"
      ARGUMENTS = (1..1)

      # In place of ID: those of cohorts of one run come from standard input, a line each, and what
      # became of each goes to standard output.
      ASKED = "-"

      private

      def options(parser)
        parser.on("--host NAME", "of this host (default: its node in Slurm,",
                  "or its host name)") do |name|
          @host = Mohs::Fleet.name(name)
        end
      end

      def execute
        signals = StopSignals.new
        signals.during do
          with_bench { |bench| arguments == [ASKED] ? serve(bench) : once(bench) }
        rescue SignalException
          signals.status
        end
      end

      def with_bench(&)
        Folders.verify(context.env)
        Mohs::Process::Tree.verify
        store = context.store.call
        host = @host || context.env[Trial::Setups::NODE] || Socket.gethostname
        setups = Trial::Setups.new(env: context.env, packs: store.method(:pack))
        Mohs::Fleet::Bench.with(store:, host:, setups:, &)
      end

      def once(bench)
        id = Options.whole(arguments.first, option: "ID")
        outcome = bench.try(id)
        tell("cohort #{id}: #{outcome}")
        outcome == "elsewhere" ? 1 : 0 # whoever has it may die
      end

      def serve(bench)
        $stdin.each_line do |line|
          context.out.puts(bench.try(Options.whole(line.chomp, option: "ID")))
          context.out.flush
        end
        0
      end
    end
  end
end
