# frozen_string_literal: true

module Mohs
  module Repro
    # The raw data of a source, as published: a folder for each level, in it a folder for each trial
    # with a result.csv (docs/published.md). Stands in for a run, so that the source's claims are
    # judged by its own figures.
    class RawData
      RESULT = "result.csv"
      COLUMNS = %w[batch p50 p99 end_time batch_rps].freeze
      # Limit of any number: far above any measured value, and small enough to compute with.
      LARGEST = 1e12
      # Valid numbers of batches, which are part of file names.
      NUMBERS = 0..999_999
      # Output of `ab -e`: the time in ms within which each per cent of the requests was served.
      PERCENTAGES = "tmp/%03d.csv"

      # A level with all its trials: the part of Analysis::Row that Evidence uses.
      Row = Struct.new(:name) do
        #: () -> bool
        def measured? = true
      end

      attr_reader :cold_start

      # Loads those of the publication's levels that the folder has. Raises UsageError.
      #: (String, Repro::Publication) -> Repro::RawData
      def self.load(folder, publication)
        names = publication.levels.keys.reject { |level| level.match?(/\0|\A\.{1,2}\z|\//) }
        paths = names.to_h do |level|
          own = ::File.join(folder, level) # a base: names may contain glob characters
          [level, Dir.glob("*/#{RESULT}", base: own).sort.map { |file| ::File.join(own, file) }]
        end
        found = paths.reject { |_, files| files.empty? }
        raise UsageError, missing(folder, publication.levels.keys.first) if found.empty?

        trials = found.transform_values { |files| files.map { |file| trial(file) } }
        new(Analysis::ColdStart.new(trials))
      rescue SystemCallError => error
        raise UsageError, error.message
      end

      def self.missing(folder, level)
        "#{folder} has no raw data of this study: a folder for each level (#{level}, ...), in it " \
          "one for each trial, with a #{RESULT}. See docs/published.md, Raw data."
      end

      # Loads one trial from its result.csv. Raises UsageError.
      #: (String) -> Analysis::ColdStart::Trial
      def self.trial(path)
        rows = rows(path)
        fault(path, 1, "has no batch") if rows.empty?
        ends = [0.0, *rows.map { |row| row["end_time"] }]
        batches = rows.zip(ends.each_cons(2)).each_with_index.map do |(row, (from, to)), index|
          wrong = wrong(row, to - from)
          fault(path, index + 2, wrong) if wrong
          batch(row, to - from, ::File.dirname(path))
        end
        Analysis::ColdStart::Trial.new(boot_ms: nil, batches:)
      end

      # What is wrong with the numbers of a batch that took `seconds`; nil if nothing is.
      def self.wrong(row, seconds)
        number, *latencies = row.values_at("batch", "p50", "p99")
        return "should have a batch of 0 to #{NUMBERS.max}" unless NUMBERS.include?(number)
        return "should have a p50 and a p99 above 0" unless latencies.all?(&:positive?)

        "end_time and batch_rps should grow from 0" \
          unless seconds.positive? && (row["batch_rps"] * seconds).round.positive?
      end

      # The number of requests is only known from the rate.
      def self.batch(row, seconds, folder)
        good = (row["batch_rps"] * seconds).round
        stalls = stalls(::File.join(folder, format(PERCENTAGES, row["batch"])), good)
        Analysis::ColdStart::Batch.new(good:, seconds:, p50_ms: row["p50"], p99_ms: row["p99"],
                                       stalls:)
      end

      # Counts stalls in hundredths of the requests; nil unless the batch's percentages were
      # published, too.
      def self.stalls(path, good)
        return unless ::File.file?(path)

        times = table(path, lines(path), 2).map { |_, time| time * 1e6 }
        Analysis::Checks::Stalls.count do |low, high|
          times.count { |time| time >= low && time < high } * good / 100
        end
      end

      # [{ column => number }].
      def self.rows(path)
        lines = lines(path)
        header = lines.first.to_s.split(",")
        lacking = COLUMNS - header
        fault(path, 1, "lacks #{lacking.join(', ')}") if lacking.any?
        fault(path, 1, "has a column twice") if header.uniq.size < header.size

        table(path, lines, header.size).map { |values| header.zip(values).to_h }
      end

      def self.lines(path) = BoundedFile.read(path).b.lines(chomp: true)

      # The numbers of each line after the first.
      def self.table(path, lines, columns)
        lines.each_with_index.drop(1).map do |line, index|
          cells = line.split(",").map { |cell| Float(cell, exception: false) }
          fault(path, index + 1, "should be #{columns} numbers") \
            unless cells.size == columns && cells.all? { |cell| cell&.abs&.<(LARGEST) }
          cells
        end
      end

      def self.fault(path, line, message) = raise(UsageError, "#{path}: line #{line} #{message}")
      private_class_method :missing, :wrong, :batch, :stalls, :rows, :lines, :table, :fault

      #: (Analysis::ColdStart) -> void
      def initialize(cold_start)
        @cold_start = cold_start
      end

      #: () -> Array[Repro::RawData::Row]
      def rows = cold_start.levels.map { |level| Row.new(level.name) }

      # Like Analysis::Run#contrast.
      #: (Analysis::Metric, String, String) -> Analysis::Contrast
      def contrast(metric, one, other) = cold_start.contrast(metric, one, other)
    end
  end
end
