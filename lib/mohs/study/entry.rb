# frozen_string_literal: true

module Mohs
  class Study
    # Reads the keys that study.yml, one of its variants and a size of published.yml have in common,
    # so that each key has one rule. Missing keys give nil; every fault is a StudyError with the key
    # path.
    class Entry
      # The least value of a whole number, in a file as on the command line.
      LEAST = { rounds: 1, connections: 1, seed: 0 }.freeze

      # map: from the file. path: the key path of the map; nil: the map is the whole file.
      #: (Hash[String, untyped], servers: Module, ?path: String?) -> void
      def initialize(map, servers:, path: nil)
        @map = map
        @servers = servers
        @path = path
      end

      #: (Symbol) -> Integer?
      def whole(key)
        least = LEAST.fetch(key)
        at(key.to_s) do |value|
          value < least ? raise(UsageError, "should be at least #{least}") : value
        end
      end

      #: () -> Numeric?
      def budget_s = at("budget") { |text| Duration.parse(text) }

      # Seconds.
      #: () -> Numeric?
      def warm_up_s = at("warm_up") { |text| Duration.parse(text) }

      #: () -> Study::ColdStart?
      def cold_start = at("cold_start") { |text| ColdStart.parse(text.to_s) }

      # The members of a notation.
      #: () -> Hash[Symbol, untyped]?
      def served = at("server") { |text| Notation.served(text.to_s, servers: @servers) }

      private

      def at(key)
        value = @map[key]
        value.nil? ? nil : yield(value)
      rescue UsageError => error
        raise StudyError.new([@path, key].compact.join("/"), error.message)
      end
    end
  end
end
