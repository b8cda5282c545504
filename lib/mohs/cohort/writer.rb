# frozen_string_literal: true

module Mohs
  module Cohort
    # Writes the trials of a finished cohort, all in one transaction after load has stopped: a
    # report sees the whole cohort or none of it.
    class Writer
      # facts: of all of them, as Trial::Facts takes them.
      #: (Store, **untyped) -> void
      def initialize(store, **facts)
        @store = store
        @facts = facts
      end

      #: (Array[Trial::Life]) -> void
      def call(lives)
        encoded = lives.filter_map { |life| [life, life.recording.encode] if life.recording }.to_h
        @store.transaction do
          lives.each { |life| write(life, encoded[life]) }
          yield if block_given?
        end
      end

      private

      def write(life, encoded)
        facts = Trial::Facts.new(life, **@facts)
        @store.add_slices(life.id, facts.slices)
        @store.add_observations(life.id, encoded, life.recording.size) if encoded
        @store.finish_trial(life.id, life.over? ? life.outcome.merge(facts.partial) : facts.row)
      end
    end
  end
end
