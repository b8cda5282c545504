# frozen_string_literal: true

module Mohs
  module Fleet
    # Which hosts measure a run: all of one kind, so many of whatever kind, or one.
    class HostSelection
      NONE = "the fleet has no active host: start mohs worker on one."
      ELSEWHERE = "no active host has that name (mohs hosts)."

      # hosts: how many, nil for all of the kind that most of them are of. same: the name of the one
      # that measures all cohorts. in_place: the application is there already, at the same path.
      #: (?hosts: Integer?, ?same: String?, ?in_place: bool) -> void
      def initialize(hosts: nil, same: nil, in_place: false)
        @count = hosts
        @same = same
        @in_place = in_place
      end

      # Does the application have to be sent there?
      #: () -> bool
      def packs? = !@in_place

      # Raises EnvironmentError or UsageError where the hosts, or their engine, are not there.
      #: (Store) -> void
      def verify(store)
        Queue.new(store)
        queues(active_hosts(store))
      end

      # How many hosts share a run.
      #: (Store) -> Integer
      def count(store) = queues(active_hosts(store)).size

      # Of the first host that measures: the machine that a run is about.
      #: (Store) -> Hash[Symbol, untyped]
      def fingerprint(store)
        hosts = active_hosts(store)
        queue = queues(hosts).first
        hosts.find { |host| host.queues.include?(queue) }&.fingerprint.to_h
      end

      # Of a run in this store.
      #: (store: Store, run_id: Integer, **untyped) -> Fleet::Coordinator
      def coordinator(store:, run_id:, **others)
        names = queues(active_hosts(store))
        Coordinator.new(queue: launcher(store, run_id), names:, store:, run_id:, **others)
      end

      # For each host that measures the queue that it works on.
      #: (Array[untyped]) -> Array[untyped]
      def queues(hosts)
        raise EnvironmentError, self.class::NONE if hosts.empty?
        return [queue_of(one(hosts))] if @same
        return kind(hosts) unless @count

        chosen(hosts).map { |host| queue_of(host) }
      end

      private

      def launcher(store, _run_id) = Queue.new(store)

      def queue_of(host) = Fleet.queue_of(host.name)

      def kind_of(host) = Fleet.queue_of_kind(host.fingerprint)

      # Those with this version of mohs: another may read a study in another way, or not at all.
      def active_hosts(store)
        usable, others = store.hosts(within_s: Store::Host::SILENT_S).partition(&:same_version?)
        others = others.select { |host| host.name == @same } if @same
        raise EnvironmentError, other_versions(others) if
          others.any? && (@same || usable.empty?)

        usable
      end

      def other_versions(hosts)
        versions = hosts.map { |host| "#{host.name} has #{host.version}" }.join(", ")
        "hosts need the version of mohs that this machine has (#{VERSION}): #{versions}. Install " \
          "the same one on all of them (mohs fleet init)."
      end

      def chosen(hosts)
        return hosts.first(@count) if hosts.size >= @count

        raise EnvironmentError, "--hosts #{@count}: #{hosts.size} are there " \
                                "(#{hosts.map(&:name).join(', ')})."
      end

      def one(hosts)
        hosts.find { |host| host.name == @same } or
          raise UsageError, "--same-host #{@same}: " +
                            Suggest.hint(@same, hosts.map(&:name),
                                         otherwise: self.class::ELSEWHERE)
      end

      # Any of them may take a cohort.
      def kind(hosts)
        hosts.map { |host| kind_of(host) }.group_by(&:itself).values.max_by(&:size)
      end
    end
  end
end
