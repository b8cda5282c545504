# frozen_string_literal: true

require "digest"
require "json"
require "mohs/core"
require "zlib"

module Mohs
  class Store
    # Reads an Archive from an untrusted source. Raises StoreError with the file's name if anything
    # is wrong with the archive, UsageError if the file is not an archive.
    class ArchiveReader
      GZIP = "\x1f\x8b".b
      HEAD = /\A\{"mohs_run":(\d+)[,}]/
      HEAD_BYTES = 200

      # Is the file an archive, judging by its first bytes?
      #: (String) -> bool
      def self.archive?(path)
        return false unless File.file?(path) && File.binread(path, GZIP.bytesize) == GZIP

        File.open(path, "rb") do |io|
          Zlib::GzipReader.new(io).read(HEAD_BYTES).to_s.b.match?(HEAD)
        end
      rescue Zlib::Error
        true # may be a damaged archive: #each says what is wrong
      end

      attr_reader :path

      #: (String) -> void
      def initialize(path)
        @path = path
      end

      # Yields the kind and the row of each line, in order: JSON parsed, bytes as they were. The
      # checksum is only checked at the end: see #verify.
      #: () { (Symbol, Hash[Symbol, untyped]) -> void } -> void
      def each
        open_lines do |lines|
          @digest, @last, @lines = Digest::SHA256.new, nil, 0
          version(lines.call)
          kinds = []
          until (kind, row = parsed(lines.call)).first == :end
            wrong("its rows are out of order") unless order?(kinds, kind)
            kinds |= [kind]
            kinds -= %i[trial] if kind == :cohort
            yield kind, row(kind, row)
          end
          wrong("it has no run") if kinds.empty?
          finish(row, lines)
        end
      end

      # Reads the whole file once and stores nothing. Also checks what the database can't check.
      # Returns the row of the run.
      #: () -> Hash[Symbol, untyped]
      def verify
        run = nil
        each do |kind, row|
          run = row if kind == :run
          check_observations(row) if kind == :observations
          check_profile(row[:data]) if kind == :profile
        end
        run
      end

      # Raises StoreError.
      #: (String) -> bot
      def wrong(what)
        raise StoreError, "#{@path} can't be imported: #{what}. Nothing was imported; export the " \
                          "run again, or copy the file again."
      end

      private

      def open_lines
        File.open(@path, "rb") do |io|
          gzip = unpacked(io)
          @total, @most = 0, [Archive::FREE_BYTES, Archive::MOST_TIMES * io.size].max
          @values, @most_values = 0, Archive::FREE_VALUES + (Archive::MOST_VALUES * io.size)
          yield -> { line(gzip) }
          wrong("something follows its end") unless gzip.unused.nil? && io.eof?
        end
      rescue Zlib::GzipFile::Error
        wrong("it was cut short")
      rescue Zlib::Error, EOFError => error
        wrong("it was cut short or damaged (#{error.message})")
      rescue SystemCallError => error
        raise UsageError.unreadable(@path, error)
      end

      # Reads the head of the file.
      def unpacked(io)
        Zlib::GzipReader.new(io, external_encoding: Encoding::BINARY)
      rescue Zlib::GzipFile::Error
        not_ours
      end

      # Returns nil at the end. The digest covers all lines but the last one read.
      def line(gzip)
        @digest << @last if @last
        text = gzip.gets("\n", Archive::LONGEST + 1)
        @lines += 1 if @last
        @last = text or return
        @total += text.bytesize
        @values += text.count(Archive::SEPARATORS)
        wrong("it unpacks to far more than a run has") \
          if @total > @most || @values > @most_values
        return text if text.end_with?("\n")

        @lines.zero? ? not_ours : wrong("a line of it is cut short or too long")
      end

      def version(line)
        version = line&.slice(HEAD, 1)&.to_i or not_ours
        return if version == Archive::VERSION

        raise StoreError, "#{@path} was written by a newer mohs: this one (#{VERSION}) knows the " \
                          "format up to #{Archive::VERSION}, not #{version}. Update mohs."
      end

      def not_ours = raise(UsageError, "#{@path} was not written by mohs export.")

      # [kind, row] of a line.
      def parsed(line)
        wrong("its end is missing") unless line
        text = line.dup.force_encoding(Encoding::UTF_8)
        wrong("a line of it is not UTF-8") unless text.valid_encoding?
        value = JSON.parse(text, symbolize_names: true)
        wrong("a line of it is not a row") unless value.is_a?(Hash) && value.size == 1

        value.first
      rescue JSON::ParserError
        wrong("a line of it is not JSON")
      end

      # kinds: the kinds of earlier rows that this line may belong to. A file has one run; every
      # other row follows a row that it can belong to.
      def order?(kinds, kind)
        return kinds.empty? if kind == :run

        kinds.include?(Archive::ABOVE[kind])
      end

      def row(kind, row)
        forms = Archive::ROWS.fetch(kind)
        wrong("a row of kind #{kind} has other columns") \
          unless row.is_a?(Hash) && row.keys.sort == forms.keys.sort
        forms.each do |name, form|
          wrong("#{kind}.#{name} has no valid value") unless valid?(row[name], form)
        end
        wrong("a value of it can't be stored") unless storable?(row)
        return row unless Archive::BINARY.include?(kind)

        { **row, data: row[:data].unpack1("m0") }
      rescue ArgumentError
        wrong("#{kind}.data is not base64")
      end

      def valid?(value, form)
        case form
        when Archive::Optional then value.nil? || valid?(value, form.form)
        when Range then value.is_a?(Integer) && form.cover?(value)
        when Regexp then value.is_a?(String) && value.match?(form)
        when Array then form.include?(value)
        else value.is_a?(form)
        end
      end

      # PostgreSQL can't store NUL. JSON has no infinity, though 1e999 is parsed as one; and no real
      # figure has more bits than MOST_BITS.
      def storable?(value)
        case value
        when String, Symbol then !value.to_s.include?("\0")
        when Float then value.finite?
        when Integer then value.bit_length <= Archive::MOST_BITS
        when Array then value.all? { |item| storable?(item) }
        when Hash then value.all? { |key, item| storable?(key) && storable?(item) }
        else true
        end
      end

      def finish(last, lines)
        wrong("its end has no checksum") unless last.is_a?(Hash)
        wrong("it was changed: its checksum is another") \
          unless last[:sha256] == @digest.hexdigest && last[:lines] == @lines
        wrong("something follows its end") if lines.call
      end

      # Decodes frame by frame; a frame has at most 2 MiB of records.
      def check_observations(row)
        data, count = row.values_at(:data, :count)
        frames = undamaged { Core::Codec.frames(data) }
        most = (data.bytesize * Archive::MOST_RECORDS) + Archive::SPARE_RECORDS
        wrong("its requests are not as many as it says") \
          unless frames.sum(&:last) == count && count <= most
        at = 0
        frames.each do |bytes, _|
          undamaged { Core::Codec.decode(data.byteslice(at, bytes)) }.clear
          at += bytes
        end
      end

      def undamaged
        yield
      rescue StoreError => error
        wrong("its requests are damaged (#{error.message})")
      end

      def check_profile(data)
        size = 0
        inflate = Zlib::Inflate.new
        inflate.inflate(data) do |piece|
          size += piece.bytesize
          wrong("a profile of it unpacks to too much") if size > Archive::MOST_PROFILE
        end
        wrong("a profile of it is damaged") unless inflate.finished?
        Profile.load(data)
      rescue *MALFORMED, JSON::ParserError
        wrong("a profile of it is damaged")
      end
    end
  end
end
