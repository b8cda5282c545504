# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Exporters
    # An observation a line, in the order of the recording; nothing is kept, so that ten million
    # take no more memory than a piece of them. A format (csv.rb, ndjson.rb) says what comes first
    # and how a row is written; a row is one value for each of COLUMNS, nil for what is not known.
    #
    #   due_ns      when it was due, since the driver's start (epoch_real_ns of a recording file)
    #   sent_ns     its last byte was handed to the kernel: this and the two below count from due
    #   first_ns    first byte of the answer read
    #   done_ns     last byte read, or the failure noticed: the response time
    #   status      of the answer
    #   error       class (docs/driver.md); nil where it is good
    #   bytes       of the body
    #   connection  its number, the same after it was opened again
    #   request     its number in the mix, in the order of `answers`
    #   flags       [name]
    class Observations
      COLUMNS = %w[due_ns sent_ns first_ns done_ns status error bytes connection request
                   flags].freeze
      # By bit, as in enum mohs_record_flag; the last only says how two of the times are kept.
      FLAGS = %w[fresh warm_up chunked closed in_flight queued].freeze
      NAMED = Array.new(256) { |bits|
        FLAGS.each_index.reject { |bit| bits[bit].zero? }.map { |bit| FLAGS[bit] }.freeze
      }.freeze
      PIECE = 1 << 20 # bytes written at a time
      # There was no connection, so nothing was sent.
      UNSENT = %w[refused unreachable connect_timeout no_local_port no_descriptor].freeze

      # origin: names of columns before these, for recordings of several servers.
      #: (IO, ?origin: Array[String]) -> void
      def initialize(out, origin: [])
        @out = out
        @origin = origin
        @errors = [nil, *Core::ERRORS.drop(1)]
        @never_sent = @errors.map { |name| UNSENT.include?(name) }
        @out.write(head)
      end

      # All requests of a recording; `values` are those of the columns `origin`.
      #: (Load::Recording, *untyped) -> void
      def add(recording, *values)
        start = prefix(values)
        text = +""
        recording.each_row do |fields|
          text << start << line(row(fields))
          flush(text) if text.bytesize > PIECE
        end
        flush(text)
      end

      private

      def flush(text)
        @out.write(text)
        text.clear
      end

      def row((due, sent, first, done, bytes, status, error, flags))
        unit = (flags & Load::Recording::COARSE).zero? ? 1 : Load::Recording::COARSE_NS
        [due & Load::Recording::DUE_MASK, @never_sent[error] ? nil : sent * unit,
         first.zero? ? nil : first * unit, done & Load::Recording::DONE_MASK,
         status.zero? ? nil : status, @errors.fetch(error), bytes,
         done >> Load::Recording::DONE_BITS, due >> 48, flags]
      end
    end
  end
end
