# frozen_string_literal: true

require "securerandom"

module Mohs
  class Trial
    # The data of a run's private services: initialised and filled once, and copied for each trial,
    # so that all of them begin with the same and none sees what another has written.
    class ServiceData
      # Databases are migrated and filled by the application itself, a JVM among its Rubies.
      PREPARE_S = 900

      # Of the folder if mohs is root: the accounts of services reach their own folders in it, by
      # names that they are given.
      PASSABLE = 0o711

      class << self
        # One for the block.
        #: [T] (?spawner: Process::Spawner) { (Trial::ServiceData) -> T } -> T
        def with(spawner: Process::Spawner.new)
          Process::ScratchFolder.with do |folder|
            File.chmod(PASSABLE, folder) if ::Process.euid.zero?
            yield new(folder, spawner:)
          end
        end
      end

      #: (String, spawner: Process::Spawner) -> void
      def initialize(folder, spawner:)
        @folder = folder
        @spawner = spawner
        @password = SecureRandom.hex
        @numbers = (1..).each
        @filled = {}
      end

      # The private services of a server, started on its cores with a copy of the data.
      #: (Trial::Setup, cpus: Array[Integer]?) -> Trial::ServiceSet
      def start(setup, cpus:)
        sources = @filled[[setup.services, setup.app.dir]] ||= fill(setup)
        set = set(setup, cpus:)
        set.start(sources)
      rescue StandardError, SignalException
        set&.stop
        raise
      end

      private

      # Prepared, and at rest.
      def fill(setup)
        set = set(setup)
        set.start
        setup.prepares? ? prepare(setup, set) : set.databases
        set.finish
      ensure
        set&.stop
      end

      def set(setup, cpus: nil)
        services = setup.services.map do |name|
          PrivateService.new(Services.fetch(name), folder: File.join(@folder, @numbers.next.to_s),
                             password: @password, tcp: setup.tcp?, spawner: @spawner, cpus:)
        end
        ServiceSet.new(services, databases: setup.databases)
      end

      # The application fills its databases in its own way.
      def prepare(setup, set)
        command = setup.preparation(@folder, set.env)
        result = Process::Capture.call(command, timeout_s: PREPARE_S, spawner: @spawner)
        return if result.success?

        task = command.argv.last
        raise TrialError.new("#{task} failed (#{result.status})", state: :refused,
                             log_tail: "#{result.stdout}#{result.stderr}", code: "prepare_failed",
                             values: { task: })
      end
    end
  end
end
