# frozen_string_literal: true

require "digest/sha1"
require "fileutils"
require "securerandom"

module Mohs
  class Verification
    # What clients can find out about a server that runs the application of verifications
    # (inside/verification/config.ru).
    class Client
      CLOSE = { "Connection" => "close" }.freeze
      HALF = "GET / HTTP/1.1\r\nHost: local"
      # Seconds until a server has accepted connections that were opened, and dropped those that
      # were closed.
      SETTLE_S = 0.3
      # Longer than any of these responses takes on a busy machine.
      ANSWER_S = 10
      # RFC 6455.
      GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
      MASK = [1, 2, 3, 4].freeze
      MESSAGE = "ping"

      # A request that was held: by which process and thread, and from when to when (seconds of a
      # clock that all processes of this machine share).
      Held = Struct.new(:pid, :thread, :from, :to) do
        # From the response's body; nil if there was none.
        #: (String?) -> Held?
        def self.parse(body)
          pid, thread, from, to = body&.split
          to && new(Integer(pid, 10), thread, Float(from), Float(to))
        end

        # The largest number of requests that were held at the same time.
        #: (Array[Held]) -> Integer
        def self.at_once(held)
          changes = held.flat_map { |one| [[one.from, 1], [one.to, -1]] }.sort
          now = 0
          changes.map { |_, change| now += change }.max.to_i
        end
      end

      # folder: where the application creates and looks for files.
      #: (Load::Target, folder: String, ?answer_s: Numeric) -> void
      def initialize(target, folder:, answer_s: ANSWER_S)
        @target = target
        @folder = folder
        @answer_s = answer_s
      end

      # Whether it responds.
      #: () -> bool
      def answered?
        open { |connection| connection.get("/", headers: CLOSE) && !connection.answer.nil? }
      end

      # Whether it responds to a second request on a connection.
      #: () -> bool
      def kept?
        open { |connection| Array.new(2) { connection.get("/") && connection.answer }.all? }
      end

      # Sends `count` requests at once, which take `seconds` each, and returns those that were held.
      #: (Integer, Numeric) -> Array[Held]
      def hold(count, seconds)
        connections = Array.new(count) { Connection.new(@target, timeout_s: @answer_s + count) }
        connections.each { |one| one.get("/held?#{seconds}", headers: CLOSE) }
        connections.filter_map { |one| Held.parse(one.answer) }
      ensure
        connections&.each(&:close)
      end

      # Calls the block while a request that takes `seconds` is under way. Whether the request was
      # answered nevertheless.
      #: (Numeric) { () -> void } -> bool
      def answered_during?(seconds)
        name, path = file
        open do |connection|
          connection.get("/held?#{seconds}&#{name}", headers: CLOSE)
          began = await(path)
          yield
          began && !connection.answer.nil?
        end
      end

      # Whether the beginning of a body without a length arrives before its end is produced.
      #: () -> bool
      def streamed?
        name, path = file
        open do |connection|
          connection.get("/parts?#{name}", headers: CLOSE)
          connection.take_until("first\n") or return false
          FileUtils.touch(path)
          rest = connection.take_until("seen\n")
          !rest.nil? && !rest.end_with?("unseen\n")
        end
      end

      # Whether a WebSocket by rack.hijack returns what is sent.
      #: () -> bool
      def websocket?
        key = SecureRandom.base64(16)
        open do |connection|
          connection.get("/socket", headers: {
            "Connection" => "Upgrade", "Upgrade" => "websocket", "Sec-WebSocket-Key" => key,
            "Sec-WebSocket-Version" => "13",
          })
          accepted?(connection.take_until(Connection::HEAD_END), key) &&
            connection.write(frame) && echo?(connection.take(2 + MESSAGE.bytesize))
        end
      end

      # Whether a request has to wait while `count` clients have sent half of theirs.
      #: (Integer) -> bool
      def held_up?(count)
        slow = Array.new(count) { Connection.new(@target) }
        slow.each { |one| one.write(HALF) }
        sleep SETTLE_S
        !answered?
      ensure
        slow&.each(&:close)
      end

      # Lets clients leave: one in the middle of its request, one before the response.
      #: () -> void
      def leave
        half = Connection.new(@target)
        half.write(HALF)
        unanswered = Connection.new(@target)
        unanswered.get("/held?#{SETTLE_S}")
        sleep SETTLE_S / 2
        [half, unanswered].each(&:leave)
        sleep SETTLE_S
      end

      private

      def open(&) = Connection.open(@target, timeout_s: @answer_s, &)

      # A file that the application does not have yet: its name and path.
      def file
        name = SecureRandom.hex(4)
        [name, File.join(@folder, name)]
      end

      def await(path)
        deadline = Clock.deadline(@answer_s)
        sleep 0.01 until File.exist?(path) || Clock.mono_ns > deadline
        File.exist?(path)
      end

      def accepted?(head, key)
        accept = [Digest::SHA1.digest("#{key}#{GUID}")].pack("m0")
        head.to_s.start_with?("HTTP/1.1 101 ") && head.include?(accept)
      end

      # A text message in one masked frame.
      def frame
        masked = MESSAGE.bytes.each_with_index.map { |byte, at| byte ^ MASK[at % MASK.size] }
        [0x81, 0x80 | MESSAGE.bytesize, *MASK, *masked].pack("C*")
      end

      def echo?(bytes) = bytes == [0x81, MESSAGE.bytesize, *MESSAGE.bytes].pack("C*")
    end
  end
end
