# frozen_string_literal: true

require "json"

module Mohs
  module Agent
    # Messages over a pair of streams: plain hashes with symbols as keys. Each is a line of JSON,
    # followed by the bytes of its binary strings, to which the line refers by their numbers:
    #
    #   [{"answer":{"records":{"$bytes":0}}},[5120]]
    class Frames
      # What a line, and the bytes behind it, may have: enough for a recording of 10^8 requests.
      MOST_LINE = 64 << 20
      MOST_BYTES = 1 << 30
      # What is printed before the first message. A shell may have printed something before it.
      GREETING = "mohs agent, protocol #{PROTOCOL}"
      SHELL_LINES = 200
      SHELL_LINE = 4096 # bytes; a longer one counts as several
      SHELL_LAST = 3
      SHOWN = 80 # characters of what is no message

      # The other end has read nothing for too long.
      class Stuck < EnvironmentError; end

      # write_s: how long writing a message may take (nil: any time); after that it raises Stuck.
      #: (IO, IO, ?write_s: Numeric?) -> void
      def initialize(from, to, write_s: nil)
        @from = from
        @to = to
        @write_s = write_s
        [from, to].each(&:binmode)
      end

      #: () -> void
      def greet = transmit("#{GREETING}\n")

      # Reads up to the greeting; false if there is none. And the last lines before it.
      #: () -> [bool, Array[String]]
      def greeted
        said = []
        SHELL_LINES.times do
          line = @from.gets("\n", SHELL_LINE) or break
          return [true, said] if line.chomp == GREETING

          said = [*said, Process::Text.utf8(line.strip)].last(SHELL_LAST)
        end
        [false, said]
      end

      #: (Hash[Symbol, untyped]) -> void
      def write(message)
        strings = []
        line = JSON.generate([pack(message, strings), strings.map(&:bytesize)])
        transmit("#{line}\n", *strings)
      end

      # Nil at the end of the stream. Raises EnvironmentError of what is no message.
      #: () -> Hash[Symbol, untyped]?
      def read
        line = @from.gets("\n", MOST_LINE) or return
        tree, sizes = JSON.parse(line, symbolize_names: true)
        no_message(line) unless tree.is_a?(Hash) && sizes?(sizes)

        strings = sizes.map { |size| whole(size) }
        message = unpack(tree, strings)
        message.is_a?(Hash) ? message : no_message(line)
      rescue JSON::ParserError, *MALFORMED
        no_message(line)
      end

      private

      def transmit(*texts)
        return transmit_in_time(texts.map(&:b).join) if @write_s

        @to.write(*texts)
        @to.flush
      end

      # IO#timeout= came with Ruby 3.2.
      def transmit_in_time(bytes)
        deadline = Clock.deadline(@write_s)
        until bytes.empty?
          written = @to.write_nonblock(bytes, exception: false)
          await_room(deadline) if written == :wait_writable
          bytes = bytes.byteslice(written..) if written.is_a?(Integer)
        end
      end

      def await_room(deadline)
        left_s = [(deadline - Clock.mono_ns) / 1e9, 0].max
        IO.select(nil, [@to], nil, left_s) or raise Stuck, "the other end reads nothing"
      end

      def sizes?(sizes)
        sizes.is_a?(Array) && sizes.all? { |size| size.is_a?(Integer) && size >= 0 } &&
          sizes.sum <= MOST_BYTES
      end

      def no_message(line)
        text = Process::Text.utf8(line)[0, SHOWN].inspect
        raise EnvironmentError, "not a message of mohs agent: #{text}"
      end

      def whole(size)
        bytes = @from.read(size).to_s
        raise EnvironmentError, "the end of a message is missing" if bytes.bytesize < size

        bytes
      end

      def pack(value, strings)
        case value
        when Hash then value.transform_values { |one| pack(one, strings) }
        when Array then value.map { |one| pack(one, strings) }
        when Symbol then { "$symbol": value.name }
        when String then text?(value) ? value : { "$bytes": (strings << value).size - 1 }
        else value
        end
      end

      def text?(string) = string.encoding == Encoding::UTF_8 && string.valid_encoding?

      def unpack(tree, strings)
        case tree
        when Array then tree.map { |one| unpack(one, strings) }
        when Hash then unpack_hash(tree, strings)
        else tree
        end
      end

      def unpack_hash(tree, strings)
        return strings.fetch(tree[:$bytes]) if tree.key?(:$bytes)
        return tree[:$symbol].to_sym if tree.key?(:$symbol)

        tree.transform_values { |one| unpack(one, strings) }
      end
    end
  end
end
