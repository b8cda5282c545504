# frozen_string_literal: true

module Mohs
  module Importers
    # An importer reads the results of another tool from a file. A member has:
    #
    #   .recognise?(head)    is it a file of this tool's? By its first 64 KiB; no other member's
    #                        file is
    #   #samples             [Analysis::Imports::Sample], one for each run in the file, one or
    #                        more; UsageError, or one of MALFORMED, if it can't be read
    #
    # What its tool does not tell stays nil, and is among the sample's `lacks`: findings whose codes
    # begin with "import_" (Report::Words::Imports).
    class Base
      extend Family::Member

      # Beyond these no figure was measured.
      MOST = 1e15
      # Runs of a file, of tools that have several in one.
      MOST_RUNS = 100_000
      # Characters of a name that others chose.
      NAME = 100

      #: (String) -> bool
      def self.recognise?(_head) = raise(NotImplementedError, "#{name}.recognise?")

      #: (Importers::Source) -> void
      def initialize(source)
        @source = source
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples = raise(NotImplementedError, "#{self.class}#samples")

      private

      attr_reader :source

      def sample(**values)
        Analysis::Imports::Sample.new(file: source.path, format: self.class.label,
                                      measure: Analysis::Imports::RATE, **values)
      end

      def lack(code, **values) = Analysis::Finding.note("import_#{code}", **values)

      # A number of a file, in the range of measured ones.
      def number(value)
        value = Float(value)
        return value if value.finite? && value.between?(0, MOST)

        raise RangeError, "#{value} is no measured figure"
      end

      def count(value)
        value = Integer(value)
        return value if value.between?(0, MOST)

        raise RangeError, "#{value} is no count"
      end

      # A name as every screen can show it.
      def name(text)
        text = Printable.call(text.to_s).tr("\n", " ").strip
        text.empty? ? "?" : Printable.cut(text, NAME)
      end

      # Latencies by name from { share => ns }, without those that so few requests can't have, and
      # those below the tool's resolution.
      def latency_ms(times, requests)
        SHARES.filter_map { |name, share|
          ns = times[share]
          [name, ns / 1e6] if ns&.positive? && (requests.nil? || enough?(name, requests))
        }.to_h
      end

      SHARES = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1.0 }.freeze
      private_constant :SHARES

      def enough?(name, requests) = name == :max || requests >= Analysis::Latency.needed(name)

      # Those that were left out for too few requests.
      def few(times, requests)
        return [] unless requests

        names = SHARES.keys.select { |name| times[SHARES[name]] && !enough?(name, requests) }
        names.empty? ? [] : [lack("few_requests", names: names.map(&:to_s), requests:)]
      end
    end
  end
end
