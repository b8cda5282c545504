# frozen_string_literal: true

require "json"

module Mohs
  class Store
    # How a table's rows map to the Hashes that pass through the doors: which columns hold JSON, and
    # whether keys without a column of their own are kept, as JSON in the column `facts`, so that a
    # new fact needs no migration. They come back below :facts.
    class Row
      #: (columns: Array[Symbol], ?json: Array[Symbol], ?facts: bool) -> void
      def initialize(columns:, json: [], facts: false)
        @columns = columns
        @json = json
        @facts = facts
      end

      # Hash (or Struct) to row; only the keys given, so it serves updates too.
      #: (untyped) -> Hash[Symbol, untyped]
      def pack(values)
        values = Plain.call(values)
        row = values.slice(*@columns, *@json)
        @json.each { |column| row[column] &&= JSON.generate(row[column]) }
        others = values.except(*@columns, *@json)
        return row if others.empty?
        raise ArgumentError, "no column for #{others.keys.join(', ')}" unless @facts

        facts = (others.delete(:facts) || {}).merge(others)
        row.merge(facts: JSON.generate(facts))
      end

      # Row to Hash.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def unpack(row)
        @json.each { |column| row[column] &&= parse(row[column]) }
        row[:facts] = row[:facts] ? parse(row[:facts]) : {} if @facts
        row
      end

      private

      def parse(text) = JSON.parse(text, symbolize_names: true)
    end
  end
end
