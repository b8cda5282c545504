# frozen_string_literal: true

require "fileutils"

module Mohs
  module Calibration
    # Works through the agenda until it is done or the time is over.
    class Session
      # Characters of a commit's id.
      COMMIT = 8

      GIT_S = 10

      #: (Calibration::Settings, ledger: Calibration::Ledger, ?out: IO) -> void
      def initialize(settings, ledger:, out: $stderr)
        @settings = settings
        @ledger = ledger
        @out = out
        @random = Random.new(settings.seed + ledger.entries.size)
        @app = BurningApp.new(settings.app, into: File.join(FOLDER, "apps")).build.dir
      end

      #: () -> void
      def call
        @ledger.open(about)
        deadline = Clock.deadline(@settings.minutes * 60)
        while (unit = Agenda.new(@settings.wanted, @ledger).pick(@random))
          return @out.puts("#{@settings.minutes} minutes are over: call again to continue") \
            if Clock.mono_ns > deadline

          @ledger << work(*unit)
          tell
        end
      end

      private

      def about
        { app: File.basename(@settings.app), ruby: @settings.ruby, command: @settings.command,
          date: Time.now.utc.strftime("%Y-%m-%d"), version: VERSION, commit:, host:,
          note: @settings.note }.compact
      end

      # The commit of mohs that is measured; nil if mohs differs from it, or is in no repository.
      def commit
        git("rev-parse", "HEAD")[0, COMMIT] if git("status", "--porcelain", "lib", "ext").empty?
      rescue Error
        nil
      end

      def git(*words)
        argv = ["git", "-C", Mohs.root, *words]
        said = Process::Capture.call(Process::Command.new(argv:), timeout_s: GIT_S)
        raise Error, said.stderr unless said.success?

        said.stdout
      end

      def host
        facts = Probes::Host.fingerprint
        "#{facts[:cpu]}, #{facts[:cores]} cores#{', virtual' if facts[:virtual]}, " \
          "Linux #{facts[:kernel][/\d+\.\d+/]}"
      end

      def work(kind, name)
        case kind
        when "truth" then alone { truth.call }
        when "practice" then alone { Practice.new(server:).call }
        else live(name)
        end
      end

      def truth = Truth.new(server:, seconds: @settings.truth_s, random: @random)

      def server = @server ||= Server.new(app: @app, ruby: @settings.ruby)

      # Holds the machine lock, which mohs compare waits for by itself.
      def alone(&) = Process::MachineLock.new.hold(wait: ->(_) {}, &)

      def live(name)
        rounds = dose.rounds(name.to_f) if name.match?(Settings::PERCENT)
        Live.new(app: @app, **@settings.to_h.slice(:ruby, :budget_s, :shield),
                 folder: File.join(FOLDER, "data"))
            .call(name, candidate(name, rounds), rounds:)
      end

      def dose = Dose.new(@ledger.of("truth"))

      def candidate(name, rounds)
        return @settings.ruby if name == "aa"

        rounds ? "#{@settings.ruby}, BURN=#{rounds}" : "#{@settings.ruby} --#{name}"
      end

      def tell
        entry = @ledger.entries.last
        wanted = @settings.wanted.values.sum
        took = entry[:wall_s] ? " #{entry[:outcome]} after #{entry[:wall_s].round(1)} s" : ""
        @out.puts "#{@ledger.entries.size}/#{wanted} #{entry[:kind]} #{entry[:case]}#{took}"
      end
    end
  end
end
