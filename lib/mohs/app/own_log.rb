# frozen_string_literal: true

module Mohs
  class App
    # What an application writes to its own log while it is measured: only there does Rails say why
    # it answered 500. Made before the server boots, read when something went wrong.
    class OwnLog
      # Enough for some exceptions with their backtraces.
      TAIL_BYTES = 64 * 1024

      #: (App) -> void
      def initialize(app)
        @path = File.join(app.dir, "log", "production.log")
        @start = size
      end

      # What has been written since, at most its last TAIL_BYTES; "" if nothing was.
      #: () -> String
      def tail
        from = [@start <= size ? @start : 0, size - TAIL_BYTES].max
        text = File.open(@path, "rb") { |file| file.seek(from) && file.read.to_s }
        text.force_encoding(Encoding::UTF_8).scrub
      rescue SystemCallError
        ""
      end

      private

      def size = File.size?(@path) || 0
    end
  end
end
