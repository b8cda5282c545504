# frozen_string_literal: true

require "zlib"

module Mohs
  class App
    class Traffic
      # The lines of a log, plain or gzipped. It is read once from beginning to end, so it may be a
      # pipe, or larger than memory. Lines are bytes.
      class Lines
        # The longest piece held in memory, in case a file has no line ends. Longer lines are cut.
        LONGEST = 64 * 1024
        # How many lines are used to detect a format.
        HEAD = 1000
        GZIP = "\x1F\x8B".b.freeze

        #: [T] (String) { (Traffic::Lines) -> T } -> T
        def self.open(path)
          File.open(path, "rb") { |file| yield new(file) }
        end

        # How many lines have been read so far.
        attr_reader :count

        #: (IO) -> void
        def initialize(io)
          @io = io
          @count = 0
          @packed = gzip?
          @source = @packed ? unpacked : io
        end

        # The first lines; #each and #text yield them again.
        #: () -> Array[String]
        def head = first.map(&:chomp)

        #: () { (String) -> void } -> void
        def each
          inside = false # a line that was too long
          pieces do |piece|
            unless inside
              @count += 1
              yield piece.chomp
            end
            inside = piece.bytesize >= LONGEST && !piece.end_with?("\n")
          end
        end

        # The whole text, nil if it has more than `limit` bytes.
        #: (Integer) -> String?
        def text(limit)
          text = +"".b
          pieces do |piece|
            text << piece
            @count += 1 if piece.end_with?("\n")
            return nil if text.bytesize > limit
          end
          text
        end

        private

        def first
          @first ||= Array.new(HEAD) { piece }.compact
        end

        def pieces
          first.each { |piece| yield piece }
          while (piece = piece())
            yield piece
          end
        end

        def piece
          return if @over

          piece = @source.gets("\n", LONGEST)
          piece = @source.gets("\n", LONGEST) while piece.nil? && another?
          piece
        end

        # A gzipped file may consist of several concatenated ones, as logs often do. Anything else
        # after them is padding.
        def another?
          if @packed
            rest = @source.unused
            @source.finish
            @io.ungetbyte(rest) if rest
          end
          @over = !(@packed && gzip?)
          @source = unpacked unless @over
          !@over
        end

        def unpacked = Zlib::GzipReader.new(@io, external_encoding: Encoding::BINARY)

        def gzip?
          magic = @io.read(2)
          @io.ungetbyte(magic) if magic
          magic == GZIP
        end
      end
    end
  end
end
