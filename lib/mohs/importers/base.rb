# frozen_string_literal: true

module Mohs
  module Importers
    # An importer reads the results of another tool from a file. A member has:
    #
    #   .recognise?(head)    whether this tool wrote the file, by its first 64 KiB; no other member
    #                        may recognise it
    #   #samples             [Analysis::Imports::Sample], one for each run in the file, at least
    #                        one; raises UsageError, or one of MALFORMED, if it can't be read
    #
    # What the tool doesn't report stays nil, and is listed in the sample's `lacks`: findings whose
    # codes begin with "import_" (Report::Templates::Imports).
    class Base
      extend Family::Member

      # No measured figure is larger.
      MOST = 1e15
      # Most runs of a file, for tools that write several into one.
      MOST_RUNS = 100_000
      # Most characters of a name that others chose.
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

      # A number from a file. Raises RangeError if it can't be a measured figure.
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

      # A name in a form that every screen can show.
      def name(text)
        text = Printable.call(text.to_s).tr("\n", " ").strip
        text.empty? ? "?" : Printable.cut(text, NAME)
      end

      # Latencies by name, from { share => ns }, without those that need more requests, and those
      # below the tool's resolution.
      def latency_ms(times, requests)
        SHARES.filter_map { |name, share|
          ns = times[share]
          [name, ns / 1e6] if ns&.positive? && (requests.nil? || enough?(name, requests))
        }.to_h
      end

      SHARES = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1.0 }.freeze
      private_constant :SHARES

      def enough?(name, requests) = name == :max || requests >= Analysis::Latency.needed(name)

      # The latencies that were left out for lack of requests.
      def few(times, requests)
        return [] unless requests

        names = SHARES.keys.select { |name| times[SHARES[name]] && !enough?(name, requests) }
        names.empty? ? [] : [lack("few_requests", names: names.map(&:to_s), requests:)]
      end
    end
  end
end
