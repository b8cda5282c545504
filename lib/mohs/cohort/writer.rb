# frozen_string_literal: true

module Mohs
  module Cohort
    # Writes the trials of a finished cohort, all in one transaction after load has stopped: a
    # report sees the whole cohort or none of it.
    class Writer
      # facts: of all of them, as Trial::Facts takes them.
      #: (Store, **Object?) -> void
      def initialize(store, **facts)
        @store = store
        @facts = facts
      end

      #: (Array[Trial]) ?{ () -> void } -> void
      def call(trials)
        recorded = trials.select(&:recording)
        encoded = recorded.to_h { |trial| [trial, trial.recording.encode] }
        @store.transaction do
          trials.each { |trial| write(trial, encoded[trial]) }
          yield if block_given?
        end
      end

      private

      def write(trial, encoded)
        facts = Trial::Facts.new(trial, **@facts)
        @store.add_slices(trial.id, facts.slices)
        @store.add_observations(trial.id, encoded, trial.recording.size) if encoded
        @store.finish_trial(trial.id, trial.over? ? trial.outcome.merge(facts.partial) : facts.row)
      end
    end
  end
end
