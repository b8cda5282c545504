# frozen_string_literal: true

require "securerandom"

module Mohs
  class Trial
    # The data of a run's private services: initialised and filled once, then copied for each trial,
    # so that all trials begin with the same data and none sees what another has written.
    class ServiceData
      # Databases are migrated and filled by the application itself, which may run on a JVM.
      PREPARE_S = 900

      # Mode of the folder if mohs runs as root: the services' accounts reach their own folders in
      # it by the names they are given, but can't list it.
      PASSABLE = 0o711

      # What Rake prints about an exception, and the part after it about causes.
      BEHIND = /^(?:Caused by:|Tasks: TOP|\(See full trace).*/m

      # What db:prepare prints if the application asks for its database while it is loaded, before
      # that task could create it. In an empty one the task loads the schema, too.
      UNLOADABLE = /\bNoDatabaseError\b/

      class << self
        # Yields a new one, in a scratch folder that lasts as long as the block. changes: of the
        # application's folder, which is told what a preparation changes there.
        #: [T] (?changes: App::FolderChanges?) { (Trial::ServiceData) -> T } -> T
        def with(changes: nil)
          Process::ScratchFolder.with do |folder|
            File.chmod(PASSABLE, folder) if ::Process.euid.zero?
            yield new(folder, spawner: Process::Spawner.new, changes:)
          end
        end
      end

      #: (String, spawner: Process::Spawner, ?changes: App::FolderChanges?) -> void
      def initialize(folder, spawner:, changes: nil)
        @folder = folder
        @spawner = spawner
        @changes = changes
        @password = SecureRandom.hex
        @numbers = (1..).each
        @filled = {}
        @failed = {}
      end

      # The private services of a server, started on its cores with a copy of the data. Calls the
      # block before data are prepared, which may take long.
      #: (Trial::Setup, cpus: Array[Integer]?) ?{ () -> void } -> Trial::ServiceSet
      def start(setup, cpus:, &preparing)
        sources = @filled[key(setup)] ||= unless_failed(setup) { fill(setup, preparing) }
        set = set(setup, cpus:)
        set.start(sources)
      rescue StandardError, SignalException
        set&.stop
        raise
      end

      private

      # What data are for: another revision has another folder.
      def key(setup) = [setup.services, setup.app.dir]

      # What a preparation may fail for: an application need not run under another Ruby.
      def attempt(setup) = [*key(setup), setup.ruby]

      def unless_failed(setup)
        error = @failed[attempt(setup)]
        error ? raise(error) : yield
      end

      # Returns services with prepared data, stopped.
      def fill(setup, preparing)
        set = set(setup)
        set.start
        set.databases unless setup.creates_databases?
        preparing&.call if setup.prepares?
        watched(setup) { prepare(setup, set) } if setup.prepares?
        set.finish
      ensure
        set&.stop
      end

      def set(setup, cpus: nil)
        services = setup.services.map do |name|
          member = Services.fetch(name)
          scheme = setup.app.database&.adapter
          PrivateService.new(member, folder: File.join(@folder, @numbers.next.to_s),
                                     password: @password, tcp: setup.tcp?, spawner: @spawner, cpus:,
                                     scheme: (scheme if member::SCHEMES.include?(scheme)))
        end
        ServiceSet.new(services, databases: setup.databases)
      end

      def watched(setup, &)
        return yield unless @changes

        @changes.during(setup.prepared_by, &)
      end

      # The application fills its databases in its own way.
      def prepare(setup, set)
        command, result = attempted(setup, set)
        if setup.creates_databases? && !result.success? && text(result).match?(UNLOADABLE)
          set.databases
          command, result = attempted(setup, set)
        end
        return if result.success?

        refuse(setup, command.argv.last, result)
      end

      def attempted(setup, set)
        Dir.mkdir(own = File.join(@folder, "prepared-#{@numbers.next}"), 0o700)
        command = setup.preparation(own, set.env)
        [command, Process::Capture.call(command, timeout_s: limit_s(setup), spawner: @spawner)]
      end

      def text(result) = "#{result.stdout}#{result.stderr}"

      def refuse(setup, task, result)
        log = text(result).sub(BEHIND, "")
        limit_s = limit_s(setup)
        reason = unfinished(task, limit_s) if result.timed_out
        reason ||= FailureReason.unprepared(
          task, log, status: result.status, own: !setup.creates_databases?,
                     known: setup.complete(App::KnownErrors.explain(log:))
        )
        error = TrialError.new(reason, state: :refused, log_tail: log)
        # A command of the user's that fails runs once under each Ruby, until one succeeds.
        @failed[attempt(setup)] = error unless setup.creates_databases?
        raise error
      end

      # The application's own task takes minutes in a large one, which nobody has asked for.
      def limit_s(setup)
        [PREPARE_S, *(setup.budget_s unless setup.creates_databases?)].min
      end

      def unfinished(task, limit_s)
        Reason.new(summary: "#{task} was not done within #{limit_s} s, and was ended",
                   remedy: "--prepare may take as long as --budget; without one, and for " \
                           "db:prepare, the limit is #{PREPARE_S} s.",
                   code: "prepare_unfinished", values: { task:, limit_s: })
      end
    end
  end
end
