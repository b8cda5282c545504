# frozen_string_literal: true

module Mohs
  # Made-up rows as Store#result returns them: tests write them as Hashes with only what they are
  # about, and the rest is filled in; then the store's own classes convert them.
  module Stored
    # A store with one run, for reading only.
    class Reader
      def initialize(result, runs: [result[:run]], observations: nil)
        @result = result
        @runs = runs
        @observations = observations
      end

      def runs(limit: nil)
        all = @runs.map { |row| Stored.run({ run: row }) }
        limit ? all.first(limit) : all
      end

      def listed(limit: nil, apps: nil)
        found = chosen(apps).sort_by { |run| -run.created_ms }.map do |run|
          Store::Listing.new(**run.to_h.slice(*Store::Listings::COLUMNS),
                             variants: run.study.variants.map(&:name))
        end
        limit ? found.first(limit) : found
      end

      def count_runs(apps: nil) = chosen(apps).size

      def apps = runs.map(&:app).uniq

      def run(_key) = runs.first

      def cohorts(_id) = result(_id).cohorts

      def result(_id) = Stored.run(@result)

      def observations(id) = @observations.call(id)

      def each_observations(id) = yield(observations(id))

      private

      def chosen(apps) = runs.select { |run| apps.nil? || apps.include?(run.app) }
    end

    VARIANT = { env: {} }.freeze
    STUDY = { requests: [], variants: [], env: {} }.freeze
    PLAN = { cohorts: [] }.freeze

    module_function

    def cohorts(rows) = rows.map { |row| cohort(row) }

    def trials(rows) = rows.map { |row| trial(row) }

    # The document of `mohs show`.
    def document(result) = Report::Model.build(analysis(result))

    def analysis(result) = Analysis::Run.new(run(result))

    def comparison(result) = Compare::Result.new(run(result))

    # result: { run:, cohorts: [{ .., trials: [{ .., facts:, slices: [..] }] }] }.
    def run(result)
      row = { **result[:run], study: study(result[:run].fetch(:study)),
              plan: { **PLAN, **result[:run][:plan].to_h } }
      Store::Run.of(row, cohorts: cohorts(result.fetch(:cohorts, [])))
    end

    def study(hash)
      variants = hash.fetch(:variants, []).map { |variant| { **VARIANT, **variant } }
      { **STUDY, **hash, variants: }
    end

    def variant(hash) = Study::Variant.from_h({ **VARIANT, **hash })

    def slices(rows) = rows.map { |row| Store::Slice.of(row) }

    def cohort(row)
      row = { **row, spec: row[:spec].to_h }
      Store::Cohort.of(row, trials: trials(row.fetch(:trials, [])))
    end

    def trial(row)
      Store::Trial.of(row, slices: slices(row.fetch(:slices, [])))
    end
  end
end
