# frozen_string_literal: true

module Mohs
  class Trial
    # The private services that one server has beside it.
    class ServiceSet
      # databases: the names of an application's databases in these services.
      #: (Array[Trial::PrivateService], databases: Array[String]) -> void
      def initialize(services, databases:)
        @services = services
        @databases = databases
      end

      # Starts them, with new data or with copies of the data of `sources`.
      #: (?Array[Trial::PrivateService]) -> Trial::ServiceSet
      def start(sources = [])
        @services.zip(sources) do |service, source|
          service.create(source)
          service.start
        end
        self
      end

      # Creates empty databases.
      #: () -> void
      def databases = @services.each { |service| service.databases(@databases) }

      # Stops the services cleanly and returns them, so that their data can be copied.
      #: () -> Array[Trial::PrivateService]
      def finish = @services.each(&:finish)

      # The variables that tell the application where they are.
      #: () -> Hash[String, String]
      def env = @services.map { |service| service.env(@databases) }.reduce({}, :merge)

      #: () -> Array[Integer]
      def pids = @services.flat_map(&:pids)

      #: () -> Array[Integer]
      def supervisors = @services.filter_map(&:supervisor)

      # From now on their CPU time counts. sent: requests that the server has been sent so far.
      #: (Integer) -> void
      def measuring(sent)
        @sent = sent
        @cpu_ns = cpu_ns
      end

      # Reads their CPU time since then and their memory, at rest after the load.
      #: (Integer) -> void
      def measured(sent)
        @requests = sent - @sent
        @used_ns = @services.zip(cpu_ns, @cpu_ns).to_h { |one, now, before| [one, now - before] }
        @memory = @services.to_h { |one| [one, Probes::Memory.read(one.pids)[:tree_bytes]] }
      end

      # What is known of each service that was ready: `service` its name, `version` and `settings`
      # as it reported them, `address` "unix" or "tcp", `cpu_ns` for this many `requests`,
      # `memory_bytes`.
      #: () -> Array[Hash[Symbol, untyped]]
      def facts
        @services.select(&:attested).map do |one|
          { service: one.member.label, **one.attested, address: one.address,
            cpu_ns: @used_ns&.fetch(one), requests: @requests,
            memory_bytes: @memory&.fetch(one) }.compact
        end
      end

      # Safe to call again.
      #: () -> void
      def stop = @services.each(&:stop)

      private

      def cpu_ns = @services.map { |service| Probes::Cpu.tree_ns(service.pids) }
    end
  end
end
