# frozen_string_literal: true

require "digest"
require "json"
require "zlib"

module Mohs
  class Store
    # Writes an Archive, row by row, to anything that has #write. It keeps no rows, so that ten
    # million requests need no more memory than one part of them.
    class ArchiveWriter
      # The checksum of all lines but the last; the number of rows by kind; the number of requests
      # among the observations.
      attr_reader :sha256, :counts, :requests

      # redact: applied to every text (Secrets::Redaction#call).
      #: (_Sink, ?redact: Secrets::Redaction | Proc) -> void
      def initialize(out, redact: :itself.to_proc)
        @gzip = Zlib::GzipWriter.new(out, Zlib::BEST_SPEED)
        @gzip.mtime = 1 # the same run gives the same file
        @redact = redact
        @digest = Digest::SHA256.new
        @lines = 0
        @counts = Hash.new(0)
        @requests = 0
        put({ mohs_run: Archive::VERSION, mohs: VERSION })
      end

      # kind: one of Archive::ROWS; row: its columns as the database has them, JSON still as text.
      #: (Symbol, Hash[Symbol, untyped]) -> void
      def add(kind, row)
        columns = Archive::ROWS.fetch(kind).keys
        json = Archive::JSON_COLUMNS.fetch(kind)
        values = columns.to_h { |name| [name, row[name]] }
        json.each { |name| values[name] &&= JSON.parse(values[name]) }
        binary = Archive::BINARY.include?(kind)
        values = binary ? { **values, data: [values[:data]].pack("m0") } : redacted(values)
        put({ kind => values })
        @counts[kind] += 1
        @requests += row[:count] if kind == :observations
      end

      # Writes the last line.
      #: () -> void
      def finish
        @sha256 = @digest.hexdigest
        put({ end: { lines: @lines, sha256: @sha256 } })
        @gzip.finish
      end

      # Frees what an unfinished archive holds. This writes the end of the gzip file, which fails on
      # a full disk.
      #: () -> void
      def close
        @gzip.finish unless @gzip.closed?
      rescue SystemCallError
        nil # the file is abandoned anyway
      end

      private

      def put(line)
        text = "#{JSON.generate(line)}\n"
        raise StoreError, "a row of this run is too large for a file: #{text.bytesize} bytes" \
          if text.bytesize > Archive::LONGEST

        @digest << text
        @lines += 1
        @gzip.write(text)
      end

      # Hash keys stay as they are: they are mohs's own names, or names of gems.
      def redacted(value)
        case value
        when String then @redact.call(value)
        when Array then value.map { |item| redacted(item) }
        when Hash then value.transform_values { |item| redacted(item) }
        else value
        end
      end
    end
  end
end
