# frozen_string_literal: true

module Mohs
  module Report
    class Model
      # What became of --shield, over all cohorts: what was read back, not what was asked for.
      class Shield
        GIVEN = {
          "real-time" => "real-time priority #{Process::Shield::PRIORITY}",
          "nice" => "asked, nice #{Process::Shield::NICE_VALUE} given",
          "none" => "asked, nothing given",
          "in part" => "not the same in all cohorts",
        }.freeze

        #: (Array[Store::Cohort]) -> void
        def initialize(cohorts)
          @told = cohorts.filter_map(&:shield)
        end

        # As in docs/json.md; nil where nothing is known of one.
        #: () -> Hash[Symbol, untyped]?
        def to_h
          return if @told.empty?

          { given:, threads: sum(:threads), shielded: sum(:shielded), ended: endings.size, text: }
        end

        private

        def given
          kinds = @told.map { |one| one[:given] }.uniq
          kinds.one? ? kinds.first : "in part"
        end

        def text = [GIVEN.fetch(given), *attested, *refusals, *ended].join("; ")

        def attested
          return if given == "none"

          missing = sum(:threads) - sum(:shielded)
          of = missing.zero? ? "all" : "#{sum(:shielded)} of"
          "read back of #{of} #{sum(:threads)} threads of the servers, #{driver}"
        end

        def driver
          others = @told.map { |one| one[:driver] }.uniq - [given]
          others.empty? ? "and of the driver's" : "of the driver's: #{others.compact.join(', ')}"
        end

        def refusals = @told.flat_map { |one| one[:refusals] }.uniq

        def ended
          endings.tally.map { |why, count| "taken back early in #{count} of #{@told.size}: #{why}" }
        end

        def endings = @told.filter_map { |one| one[:ended] }

        def sum(key) = @told.sum { |one| one[key] }
      end
    end
  end
end
