# frozen_string_literal: true

require "json"

module Mohs
  # Reads result files of other tools; Base has the contract. A file's format is recognized by its
  # content, never by its name; the content may have been made by anybody.
  module Importers
    extend Family

    family "format", folder: File.join(__dir__, "importers"), list: "docs/import.md"

    # The runs in a file, without variants if the file names none. format: the format's name; nil:
    # it is recognized. Raises UsageError if the file can't be read.
    #: (String, ?format: String?) -> Array[Analysis::Imports::Sample]
    def self.read(path, format: nil)
      source = Source.new(path)
      member = format ? fetch(format.tr("-", "_")) : recognise(source)
      samples = member.new(source).samples
      return samples unless samples.empty?

      raise UsageError, "#{path} can't be read as #{member.label}: it has no result."
    rescue *MALFORMED, JSON::JSONError => error
      raise UsageError, "#{path} can't be read as #{member&.label}: it was cut short or changed " \
                        "(#{error.message.lines.first.to_s.strip[0, 100]})."
    rescue UsageError, StoreError
      raise
    rescue Error => error # from a driver, which reads its tool's output
      raise UsageError, "#{path} can't be read as #{member&.label}: #{error.message}"
    end

    # The one member that recognises this file. Raises UsageError if none does.
    #: (Importers::Source) -> singleton(Importers::Base)
    def self.recognise(source)
      head = source.head
      all.find { |member| member.recognise?(head) } || raise(UsageError, unknown_file(source))
    end

    def self.unknown_file(source)
      return "#{source.path} is compressed. Unpack it first: gunzip." if source.gzip?

      "#{source.path} has no format that mohs knows. Known: #{names.join(', ')} " \
        "(docs/import.md); --format names one."
    end
    private_class_method :unknown_file

    # A file of unknown origin and length.
    class Source
      HEAD_BYTES = 65_536
      MOST_BYTES = 64 << 20 # most bytes of a file that is read whole
      LONGEST_LINE = 1 << 20
      MOST_LINES = 20_000_000

      attr_reader :path

      # Raises UsageError unless it is a regular file: anything else may be endless.
      #: (String) -> void
      def initialize(path)
        @path = path
        raise UsageError, "#{path} is not a file." unless File.file?(path)
      end

      # The beginning of the file, in valid UTF-8.
      #: () -> String
      def head = reading { utf8(File.binread(path, HEAD_BYTES).to_s) }

      # Whether the file is compressed.
      #: () -> bool
      def gzip? = reading { File.binread(path, 2) == "\x1f\x8b".b }

      # The whole file, in valid UTF-8.
      #: () -> String
      def text = reading { utf8(BoundedFile.read(path, MOST_BYTES)) }

      # Yields each line with its number, from 1, in valid UTF-8 without its line end. With
      # `quotes`, a line continues until its quotes are closed.
      #: (?quotes: bool) { (String, Integer) -> void } -> void
      def each_line(quotes: false)
        reading do
          File.open(path, "rb") do |io|
            number = 0
            while (line = io.gets("\n", LONGEST_LINE + 1))
              number += 1
              close_quotes(line, io) if quotes
              check_line(line, number)
              yield utf8(line).chomp, number
            end
          end
        end
      end

      # The JSON object in the file. Raises UsageError if there is none.
      #: () -> Hash[String, untyped]
      def json
        value = JSON.parse(text)
        value.is_a?(Hash) ? value : raise(UsageError, "#{path} has no JSON object.")
      end

      private

      def reading
        yield
      rescue SystemCallError => error
        raise UsageError.unreadable(path, error)
      end

      # Adds lines until every quote is closed. Each piece is scanned only once: counting the whole
      # line again would take quadratic time.
      def close_quotes(line, io)
        open = line.count('"').odd?
        while open && line.bytesize <= LONGEST_LINE && (piece = io.gets("\n", LONGEST_LINE))
          open ^= piece.count('"').odd?
          line << piece
        end
      end

      def check_line(line, number)
        raise UsageError, "#{path}: line #{number} is too long." if line.bytesize > LONGEST_LINE
        raise UsageError, "#{path} has more than #{MOST_LINES} lines." if number > MOST_LINES
      end

      # In valid UTF-8, without the byte order mark with which some programs begin a file.
      def utf8(bytes)
        text = bytes.dup.force_encoding(Encoding::UTF_8)
        text = text.scrub("?") unless text.valid_encoding?
        text.delete_prefix("\u{feff}")
      end
    end
  end
end
