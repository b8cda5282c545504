# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Exporters
    # One observation per line, in the order of the recording. Nothing is kept, so ten million
    # observations take no more memory than one piece. The core writes the rows (core/rows.h); a
    # format (csv.rb, ndjson.rb) writes the beginning and supplies the texts of a row: those before
    # each of COLUMNS (`before`), those of each error and each set of flags, of unknown values, and
    # the end.
    #
    #   due_ns      when it was due, since the driver's start (epoch_real_ns of a recording file)
    #   sent_ns     its last byte was handed to the kernel: this and the two below count from due
    #   first_ns    the first byte of the response arrived
    #   done_ns     the last byte arrived, or the failure was noticed: the response time
    #   status      of the response
    #   error       class (docs/driver.md); nil if the response is correct
    #   bytes       of the body
    #   connection  its number, which stays the same if it is reopened
    #   request     its number in the mix, in the order of `answers`
    #   flags       [name]
    class Observations < Recordings::Base
      COLUMNS = Core::ROW_COLUMNS.map(&:to_s).freeze
      # { bit => name } of flags. `coarse`, which is left out, only says how two of the times are
      # stored.
      FLAGS = Core::RECORD_FLAGS.map(&:to_s).each_with_index.to_h.except("coarse").invert.freeze
      NAMED = Array.new(256) { |bits|
        FLAGS.reject { |bit, _| bits[bit].zero? }.values.freeze
      }.freeze
      PIECE = 4096 # requests written at a time

      #: () -> bool
      def self.rows? = true

      # origin: names of columns before COLUMNS, for recordings of several servers.
      #: (_Sink, ?origin: Array[String]) -> void
      def initialize(out, origin: [])
        super(out)
        @origin = origin
        @out.write(head)
      end

      #: (Load::Result) -> void
      def write(result) = add(result.recording)

      # Adds all requests of a recording; `values` are those of the columns `origin`.
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

      # The classes of errors, by number.
      def errors = Core::ERRORS.drop(1)
    end
  end
end
