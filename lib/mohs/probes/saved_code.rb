# frozen_string_literal: true

module Mohs
  module Probes
    # What MJIT has compiled in a server, read from outside: the C file of each piece of code and
    # the library made from it, which it leaves in TMPDIR under --jit-save-temps, and its compile
    # times, which it prints under --jit-verbose=1 (with an m before jit from 3.0 on). It reports
    # nothing else.
    class SavedCode
      FILE = /\A_ruby_mjit_p\d+u\d+\.c\z/
      LIBRARY = ".so"
      # The methods in a C file. A file with several methods is a copy of all code for the linker.
      METHOD = %r{^/\* (?<name>.+)@(?<path>.+):(?<line>\d+) \*/$}
      TIME = /^JIT (?:success|failure|compaction) \((?<ms>\d+\.\d+)ms\)/
      AGAIN = /^JIT recompile: /

      # elf(5): 64 bits, little endian; offset, size and number of the program headers; for each its
      # type and flags, and its length in the file.
      ELF = "\x7FELF\x02\x01".b.freeze
      HEADERS, COUNTS, HEADER = "@32Q<", "@54S<S<", "@%dL<L<x24Q<"
      LOADED, EXECUTABLE = 1, 1
      HEAD_BYTES = 4096

      # A compiled version of a method: its name, the file and line of its definition, its lines of
      # C and its bytes of machine code.
      Piece = Struct.new(:name, :at, :lines, :code_bytes, keyword_init: true)

      # folder: the server's TMPDIR. log: what the server prints; nil if that says nothing about the
      # JIT.
      #: (String, ?log: String?) -> void
      def initialize(folder, log: nil)
        @folder = folder
        @log = log
        @pieces = {}
        @read = 0
        @elapsed_ms = 0.0
        @again = 0
      end

      # Since the server's start: methods, pieces of code (versions of methods), bytes of machine
      # code and, if there is a log, the compile time and how often code was discarded to be
      # compiled again.
      #: () -> Hash[Symbol, Integer]
      def read
        look
        { methods: pieces.uniq { |piece| [piece.name, piece.at] }.size, pieces: pieces.size,
          code_bytes: pieces.sum(&:code_bytes), **times }
      end

      # Each compiled method, those with the most versions first. lines: lines of C of each version.
      #: () -> Array[{ name: String, at: String, versions: Integer, lines: Array[Integer] }]
      def compiled
        look
        found = pieces.group_by { |piece| [piece.name, piece.at] }.map do |(name, at), same|
          { name:, at:, versions: same.size, lines: same.map(&:lines) }
        end
        found.sort_by { |one| [-one[:versions], one[:name], one[:at]] }
      end

      private

      def pieces = @pieces.values.compact

      # A compilation may be under way: a C file without its library is looked at again later.
      def look
        files = Dir.children(@folder).grep(FILE).sort_by { |name| name[/\d+(?=\.c)/].to_i }
        (files - @pieces.keys).each do |name|
          path = File.join(@folder, name)
          bytes = machine_code(path.sub(/\.c\z/, LIBRARY)) or next
          @pieces[name] = piece(File.read(path, encoding: Encoding::UTF_8).scrub, bytes)
        end
        listen if @log
      end

      # nil if the file is a copy.
      def piece(text, code_bytes)
        found = text.scan(METHOD)
        return unless found.one?

        name, path, line = found.first
        Piece.new(name:, at: "#{File.basename(path)}:#{line}", lines: text.count("\n"), code_bytes:)
      end

      # Bytes of an ELF file that are mapped as executable; nil if the file is not there yet.
      def machine_code(path)
        head = File.binread(path, HEAD_BYTES)
        return unless head&.start_with?(ELF)

        size, count = head.unpack(COUNTS)
        first = head.unpack1(HEADERS)
        Array.new(count) { |number| head.unpack(format(HEADER, first + (number * size))) }
             .select { |type, flags, _| type == LOADED && flags.anybits?(EXECUTABLE) }
             .sum(&:last).nonzero?
      rescue Errno::ENOENT, ArgumentError, TypeError
        nil
      end

      # Reads the complete lines after those that were read before.
      def listen
        return @log = nil if File.size(@log) < @read # it was cut: times would be too small

        text = File.binread(@log, nil, @read)[/.*\n/m].to_s
        @read += text.bytesize
        @elapsed_ms += text.scan(TIME).sum { |(ms)| ms.to_f }
        @again += text.scan(AGAIN).size
      rescue Errno::ENOENT
        nil
      end

      def times
        @log ? { compile_ns: (@elapsed_ms * 1e6).round, invalidations: @again } : {}
      end
    end
  end
end
