# frozen_string_literal: true

module Mohs
  module Load
    class Scenario
      # The variables that a scenario's file declares, by name.
      class Variables
        SOURCES = %w[csv list letters integer sequence].freeze
        PER = %w[action client].freeze
        RANGE = /\A(?<low>-?\d+)\.\.(?<high>-?\d+)\z/
        NAME = /\A[A-Za-z_]\w*\z/
        MOST_LETTERS = 4096 # the core's limit for a value
        MOST_NUMBERS = (1 << 32) - 1
        BITS = 62 # of each number: none of their sums exceeds 64

        #: (Hash[String, untyped], String) -> void
        def initialize(declared, folder)
          @declared = declared
          @folder = folder
          @files = {}
        end

        #: () -> Hash[String, Scenario::Variable]
        def to_h
          @declared.to_h do |name, entry|
            path = "variables/#{name}"
            fault(path, "should be of letters, digits and _") unless name.to_s.match?(NAME)
            [name, variable(entry, path)]
          end
        end

        private

        def variable(entry, path)
          return variable({ "list" => entry }, path) unless entry.is_a?(Hash)

          sources = entry.keys & SOURCES
          fault(path, "should have one of #{SOURCES.join(', ')}") unless sources.one?
          per = entry.fetch("per", "action")
          fault("#{path}/per", "should be #{PER.join(' or ')}") unless PER.include?(per)
          Variable.new(**send(sources.first, entry, path), steady: per == "client")
        end

        def list(entry, path)
          { kind: :listed, values: [entry["list"]].flatten.map { |text| text.to_s.b }, group: path }
        end

        # Columns of one file are drawn from the same row, if both are drawn equally often.
        def csv(entry, path)
          name = entry["csv"]
          column = entry["column"] or fault(path, "needs column: a name in the first line")
          file = @files[name] ||= read(name)
          { kind: :listed, values: file.column(column.to_s).map(&:b), group: name }
        rescue SystemCallError, UsageError => error
          fault("#{path}/csv", "#{name}: #{error.message}")
        end

        def read(name) = Csv.new(::File.read(::File.expand_path(name, @folder), encoding: "UTF-8"))

        def letters(entry, path)
          count = entry["letters"]
          fits = count.between?(1, MOST_LETTERS)
          fault("#{path}/letters", "should be 1 to #{MOST_LETTERS}") unless fits
          { kind: :letters, low: count }
        end

        def integer(entry, path)
          range = RANGE.match(entry["integer"].to_s)
          low, high = range&.captures&.map(&:to_i)
          fault("#{path}/integer", "should be a range like 1..1000") unless range && low <= high
          small = [low, high].all? { |number| number.bit_length <= BITS }
          fits = small && high - low < MOST_NUMBERS
          fault("#{path}/integer", "is too wide: at most #{MOST_NUMBERS} numbers") unless fits
          { kind: :integer, low:, high: }
        end

        def sequence(entry, path)
          low = entry["sequence"]
          fault("#{path}/sequence", "is too large") if low.bit_length > BITS
          { kind: :sequence, low: }
        end

        def fault(path, message) = raise(StudyError.new(path, message))
      end
    end
  end
end
