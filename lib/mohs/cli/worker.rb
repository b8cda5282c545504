# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs worker`: measures cohorts of other people's runs on this host until it is stopped.
    class Worker < Base
      SUMMARY = "Measures cohorts of a fleet's runs on this host until stopped."
      USAGE = "mohs worker [options]"
      ARGUMENTS = (0..0)

      private

      def options(parser)
        parser.on("--name NAME", "this host's name in the fleet (default: its host name)") do |name|
          @host = Mohs::Fleet.verified_name(name)
        end
        parser.on("--noisy", "work even if this host is too noisy for small differences") do
          @noisy = true
        end
      end

      # What would make every cohort fail is found before a job is taken, and what takes no time
      # before the load that shows whether this host is quiet.
      def execute
        Folders.verify(context.env)
        Mohs::Process::Tree.verify
        Mohs::Fleet.shared(store)
        refuse_noisy unless @noisy
        signals = StopSignals.new
        signals.during do
          work
        rescue SignalException
          tell("stopped")
          signals.status
        rescue Mohs::Fleet::Worker::Lost => error
          leave(error)
        end
      end

      def store = @store ||= context.store.call

      # Until a signal, or the end of the session, is raised here.
      def work
        url = context.env["MOHS_DATABASE_URL"].to_s
        name = @host || Socket.gethostname
        worker = Mohs::Fleet::Worker.new(store:, url:, name:, tell: method(:tell))
        worker.call do
          tell("#{name}: waiting for work (Ctrl-C to stop)")
          sleep
        end
      end

      # Threads of Que wait for a database that does not answer.
      def leave(error)
        context.err.puts("mohs: #{error.message}")
        context.err.flush
        exit!(error.exit_status)
      end

      # What mohs doctor finds to be bad.
      def refuse_noisy
        tell("loading every core for #{Mohs::Doctor::SECONDS} s to check that this host is quiet")
        bad = context.doctor.examine(wait: ->(_) {}).select(&:fatal?)
        return if bad.empty?

        why = bad.map { |finding| Report::Render.call(finding) }.join("; ")
        raise EnvironmentError, "this host is too noisy: #{why} (mohs doctor says what to do; " \
                                "use --noisy to work anyway)"
      end
    end
  end
end
