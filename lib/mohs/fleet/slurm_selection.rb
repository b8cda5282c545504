# frozen_string_literal: true

module Mohs
  module Fleet
    # Which nodes of a Slurm cluster measure a run: those that most have the features of, so many
    # of whatever features, or one.
    class SlurmSelection < HostSelection
      NONE = "no node of Slurm takes jobs (sinfo)."
      ELSEWHERE = "it takes no jobs (sinfo)."

      #: (Store) -> void
      def verify(store)
        Fleet.shared(store)
        queues(active_hosts(store))
      end

      # Not known before a node has begun: Attempt tells it.
      #: (Store) -> Hash[Symbol, untyped]
      def fingerprint(_store) = {}

      private

      def launcher(store, run_id)
        Slurm.new(run: store.run(run_id).key, failed: ->(id) { Attempt.failed_at(store, id) })
      end

      def active_hosts(_store) = Slurm.nodes

      def queue_of(node) = Slurm::Place.new(node: node.name)

      # Whoever has configured features has told kinds apart by them.
      def kind_of(node) = Slurm::Place.new(features: node.features)
    end
  end
end
