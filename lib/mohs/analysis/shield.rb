# frozen_string_literal: true

module Mohs
  module Analysis
    # What became of --shield, over all cohorts: what was read back, not what was asked for. `given`
    # is real-time, nice, none, or "in part" if the cohorts differ; of the servers' `threads` so
    # many are `shielded`; `driver` what its threads were given instead, `refusals` why less was
    # given than asked for, `endings` why it was taken back early, one for each of the `cohorts` in
    # which it was.
    class Shield < Struct.new(:given, :threads, :shielded, :driver, :refusals, :endings, :cohorts,
                              keyword_init: true)
      include Value

      # nil if nothing is known of one.
      #: (Array[Store::Cohort]) -> Analysis::Shield?
      def self.of(cohorts)
        told = cohorts.filter_map(&:shield)
        return if told.empty?

        kinds = told.map { |one| one[:given] }.uniq
        given = kinds.one? ? kinds.first : "in part"
        new(given:, threads: told.sum { |one| one[:threads] },
            shielded: told.sum { |one| one[:shielded] },
            driver: told.map { |one| one[:driver] }.uniq - [given],
            refusals: told.flat_map { |one| one[:refusals] }.uniq,
            endings: told.filter_map { |one| one[:ended] }, cohorts: told.size)
      end
    end
  end
end
