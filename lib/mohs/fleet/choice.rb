# frozen_string_literal: true

module Mohs
  module Fleet
    # Which hosts measure a run: all of one kind, so many of whatever kind, or one.
    class Choice
      # hosts: how many, nil for all of the kind that most of them are of. same: the name of the one
      # that measures all cohorts.
      #: (?hosts: Integer?, ?same: String?) -> void
      def initialize(hosts: nil, same: nil)
        @count = hosts
        @same = same
      end

      # Raises EnvironmentError or UsageError where the hosts, or their engine, are not there.
      #: (Store) -> void
      def verify(store)
        Queue.new(store)
        queues(there(store))
      end

      # Of the first host that measures: the machine that a run is about.
      #: (Store) -> Hash[Symbol, untyped]
      def fingerprint(store)
        hosts = there(store)
        queue = queues(hosts).first
        hosts.find { |host| host.queues.include?(queue) }&.fingerprint.to_h
      end

      # Of a run in this store.
      #: (store: Store, **untyped) -> Fleet::Foreman
      def foreman(store:, **others)
        Foreman.new(queue: Queue.new(store), names: queues(there(store)), store:, **others)
      end

      # For each host that measures the queue that it works on.
      #: (Array[Store::Host]) -> Array[String]
      def queues(hosts)
        raise EnvironmentError, "no host of the fleet is there: start mohs worker on one." if
          hosts.empty?
        return [Fleet.queue_of(one(hosts).name)] if @same
        return kind(hosts) unless @count

        chosen(hosts).map { |host| Fleet.queue_of(host.name) }
      end

      private

      def there(store) = store.hosts(within_s: Store::Host::SILENT_S)

      def chosen(hosts)
        return hosts.first(@count) if hosts.size >= @count

        raise EnvironmentError, "--hosts #{@count}: #{hosts.size} are there " \
                                "(#{hosts.map(&:name).join(', ')})."
      end

      def one(hosts)
        hosts.find { |host| host.name == @same } or
          raise UsageError, "--same-host #{@same}: " +
                            Suggest.hint(@same, hosts.map(&:name),
                                         otherwise: "it is not there (mohs hosts).")
      end

      # Any of them may take a cohort.
      def kind(hosts)
        hosts.map { |host| Fleet.queue_of_kind(host.fingerprint) }
             .group_by(&:itself).values.max_by(&:size)
      end
    end
  end
end
