# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs run-cohort ID`: one try at one cohort, as the workers of a fleet and Slurm start it.
    class RunCohort < Base
      SUMMARY = "Measures one cohort of a run; workers and Slurm start it."
      USAGE = "mohs run-cohort ID|- [options]"
      ARGUMENTS = (1..1)

      # In place of ID: reads ids of cohorts of one run from stdin, one per line, and prints a line
      # of id and outcome for each to stdout.
      ASKED = "-"

      MANUAL = <<~TEXT

        With - it reads ids of cohorts of one run from standard input, one a line, and
        prints a line for each: the id and what became of the cohort (done, over,
        elsewhere, parked). Anything else that is printed goes to standard error.

      TEXT
      private_constant :MANUAL

      private

      def banner = "#{super}\n#{MANUAL}"

      def options(parser)
        parser.on("--host NAME", "this host's name (default: its Slurm node name,",
                  "or its host name)") do |name|
          @host = Mohs::Fleet.verified_name(name)
        end
      end

      def execute
        signals = StopSignals.new
        signals.during do
          arguments == [ASKED] ? serve : with_runner { |runner| once(runner) }
        rescue SignalException
          signals.status
        end
      end

      def with_runner(&)
        Folders.verify(context.env)
        Mohs::Process::Tree.verify
        store = context.store.call
        host = @host || context.env[Trial::Setups::NODE] || Socket.gethostname
        setups = Trial::Setups.new(env: context.env, packs: store.method(:pack))
        Mohs::Fleet::CohortRunner.with(store:, host:, setups:, &)
      end

      def once(runner)
        id = Options.whole(arguments.first, option: "ID")
        outcome = runner.try(id)
        tell("cohort #{id}: #{outcome}")
        outcome == "elsewhere" ? 1 : 0 # whoever has it may die
      end

      # Nothing but answers may be on stdout: a line that a library prints would be taken for one.
      def serve
        to = $stdout.dup
        $stdout.reopen($stderr)
        with_runner { |runner| $stdin.each_line { |line| answer_for(line.chomp, runner, to) } }
        0
      ensure
        $stdout.reopen(to)
        to.close
      end

      def answer_for(id, runner, to)
        outcome = runner.try(Options.whole(id, option: "ID"))
        to.puts("#{id} #{outcome}")
        to.flush
      end
    end
  end
end
