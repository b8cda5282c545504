# frozen_string_literal: true

module Mohs
  class Trial
    # The private services that one server has beside it.
    class ServiceSet
      # databases: the names that an application's databases have in them.
      #: (Array[Trial::PrivateService], databases: Array[String]) -> void
      def initialize(services, databases:)
        @services = services
        @databases = databases
      end

      # With new data, or copies of these services' data.
      #: (?Array[Trial::PrivateService]) -> Trial::ServiceSet
      def start(sources = [])
        @services.zip(sources) do |service, source|
          service.create(source)
          service.start
        end
        self
      end

      # Makes empty ones.
      #: () -> void
      def databases = @services.each { |service| service.databases(@databases) }

      # Their data are at rest; they are returned, to be copied.
      #: () -> Array[Trial::PrivateService]
      def finish = @services.each(&:finish)

      # The variables that lead the application to them.
      #: () -> Hash[String, String]
      def env = @services.map { |service| service.env(@databases) }.reduce({}, :merge)

      #: () -> Array[Integer]
      def pids = @services.flat_map(&:pids)

      #: () -> Array[Integer]
      def supervisors = @services.filter_map(&:supervisor)

      # From here on their CPU time counts, for a server that has been sent so many requests.
      #: (Integer) -> void
      def measuring(sent)
        @sent = sent
        @cpu_ns = cpu_ns
      end

      # At rest after the load: their CPU time since then, and memory.
      #: (Integer) -> void
      def measured(sent)
        @requests = sent - @sent
        @used_ns = @services.zip(cpu_ns, @cpu_ns).to_h { |one, now, before| [one, now - before] }
        @memory = @services.to_h { |one| [one, Probes::Memory.read(one.pids)[:tree_bytes]] }
      end

      # Of each what is known: `service` its name, `version` and `settings` as it told them,
      # `address` "unix" or "tcp", `cpu_ns` for so many `requests`, `memory_bytes`.
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
