# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # The tables of a cold start: the figures of each level, and what the JIT of each had compiled
      # by when.
      class ColdStart
        include Cells

        KEY = :cold_start
        KEYS = [KEY, Compiled::KEY].freeze
        LEAST_FIRST = [%i[boot], %i[p50 p99], %i[average]].freeze
        FIGURES = { last: :last_per_s, average: :average_per_s, p50: :p50_ms, p99: :p99_ms,
                    boot: :boot_ms }.freeze

        # levels: of a document; nil without a cold start.
        #: (Array[Hash[Symbol, untyped]]?) -> void
        def initialize(levels)
          @levels = levels.to_a
        end

        # [] without levels.
        #: () -> Array[View::Table]
        def tables
          return [] if @levels.empty?

          [figures, *@levels.filter_map { |level| Compiled.new(level).to_table }]
        end

        # Their courses over the batches, as data that is drawn; [] without levels.
        #: () -> Array[Hash[Symbol, untyped]]
        def courses = @levels.map { |level| level.slice(:name, :curves) }

        private

        def figures
          table(KEY, columns, @levels.map { |level| row(level) }, least_first: LEAST_FIRST,
                                                                  runs_on: true, remarks:)
        end

        def columns
          booted = @levels.any? { |level| level[:boot_ms] }
          [column(:name, "from a cold start"), column(:last, "last/s", figure: true),
           column(:average, "average/s", figure: true), column(:p50, "p50 ms", figure: true),
           column(:p99, "p99", figure: true),
           *([column(:boot, "boot ms", figure: true)] if booted), column(:warm, "warm after")]
        end

        def row(level)
          { name: cell(level[:name]), warm: cell(warm(level), value: level[:warm_after]),
            **FIGURES.transform_values { |key| figure(level[key]) } }
        end

        # That of each trial as well, unless all are the same.
        def warm(level)
          after = level[:trials].map { |trial| trial[:warm_after] || Numbers::NONE }
          warm = level[:warm_after] || "not in time"
          after.uniq.one? ? warm : "#{warm} (#{after.join(', ')})"
        end

        def remarks = [*excluded, acks].compact

        def excluded
          @levels.select { |level| level[:excluded] }.map do |level|
            rates = level[:trials].map { |trial| Numbers.short(trial[:settled_per_s]) }
            stray = Render.text("cold_stray", trial: level[:stray]) if level[:stray]
            text = Render.text("cold_excluded", level: level[:name], rates:)
            View::Remark.new(name: "excluded", text: [text, *stray].join)
          end
        end

        def acks
          shares = @levels.filter_map do |level|
            share = level[:delayed_acks]
            "#{level[:name]} #{Numbers.percent(share)}" if share
          end
          return if shares.empty?

          View::Remark.new(name: "40 ms", text: Render.text("cold_acks", shares:))
        end
      end
    end
  end
end
