# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs hosts`.
    module HostsModel
      module_function

      #: (Store) -> Hash[Symbol, untyped]
      def document(store)
        hosts = store.hosts.map { |host| entry(store, host) }
        { hosts:, shared: store.shared?, earlier: hosts.empty? ? store.earlier_hosts : [] }
      end

      def entry(store, host)
        { name: host.name, state: state(host), silent_s: host.silent_s, queues: host.queues,
          fingerprint: host.fingerprint, version: host.version, cohort: cohort(store, host) }
      end

      def state(host)
        return "silent" if host.silent?

        host.cohort ? "measures" : "waits"
      end

      def cohort(store, host)
        return unless host.cohort

        found = store.cohort(host.cohort)
        { id: found.id, run: store.run(found.run_id).key, round: found.round,
          variants: found.spec.variants }
      rescue StoreError
        nil # the run was deleted
      end
      private_class_method :entry, :state, :cohort
    end
  end
end
