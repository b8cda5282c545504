# frozen_string_literal: true

module Mohs
  class Trial
    # A server's standard output and error, or its application's log, in a file that is kept small:
    # an application that prints a page for each request would fill the disk within a minute.
    class ServerLog
      # When the file grows beyond this, its content is discarded.
      LIMIT_BYTES = 32 * 1024 * 1024

      attr_reader :path

      #: (String) -> void
      def initialize(path)
        @path = path
        @dropped = 0
      end

      # The content, at most its last LIMIT_BYTES.
      #: () -> String
      def text
        File.open(@path, "rb") do |file|
          file.seek([file.size - LIMIT_BYTES, 0].max)
          file.read(LIMIT_BYTES).to_s
        end
      end

      # Bytes written since the server started.
      #: () -> Integer
      def written = @dropped + size

      # Empties the file if it is too large. The server appends, so it continues at the new end.
      #: () -> void
      def trim
        return if size <= LIMIT_BYTES

        @dropped += size
        File.truncate(@path, 0)
      end

      private

      def size = File.size?(@path).to_i
    end
  end
end
