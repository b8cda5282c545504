# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Exporters
    # An observation a line, in the order of the recording; nothing is kept, so that ten million
    # take no more memory than a piece of them. The core writes the rows (core/rows.h); a format
    # (csv.rb, ndjson.rb) writes the beginning, and gives the texts of a row: those before each of
    # COLUMNS (`before`), the words of each error and each set of flags, the unknown, and the end.
    #
    #   due_ns      when it was due, since the driver's start (epoch_real_ns of a recording file)
    #   sent_ns     its last byte was handed to the kernel: this and the two below count from due
    #   first_ns    first byte of the answer came
    #   done_ns     last byte came, or the failure noticed: the response time
    #   status      of the answer
    #   error       class (docs/driver.md); nil if it is good
    #   bytes       of the body
    #   connection  its number, the same after it was opened again
    #   request     its number in the mix, in the order of `answers`
    #   flags       [name]
    class Observations < Recordings::Base
      COLUMNS = Core::ROW_COLUMNS.map(&:to_s).freeze
      # By bit. `coarse` only says how two of the times are kept.
      FLAGS = (Core::RECORD_FLAGS - %i[coarse]).map(&:to_s).freeze
      NAMED = Array.new(256) { |bits|
        FLAGS.each_index.reject { |bit| bits[bit].zero? }.map { |bit| FLAGS[bit] }.freeze
      }.freeze
      PIECE = 4096 # requests written at a time

      #: () -> bool
      def self.rows? = true

      # origin: names of columns before these, for recordings of several servers.
      #: (_Sink, ?origin: Array[String]) -> void
      def initialize(out, origin: [])
        super(out)
        @origin = origin
        @out.write(head)
      end

      #: (Load::Result) -> void
      def write(result) = add(result.recording)

      # All requests of a recording; `values` are those of the columns `origin`.
      #: (Load::Recording, *untyped) -> void
      def add(recording, *values)
        start, *between = before
        form = [[prefix(values) + start, *between], [unknown, *errors], flags, unknown, ending]
        recording.each_chunk(PIECE) do |packed|
          text = Core.rows(packed, *form).force_encoding(Encoding::UTF_8)
          @out.write(text)
          [packed, text].each(&:clear)
        end
      end

      private

      # The classes that are errors, by number.
      def errors = Core::ERRORS.drop(1)
    end
  end
end
