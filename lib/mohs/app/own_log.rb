# frozen_string_literal: true

module Mohs
  class App
    # What an application writes to its own log while it is measured: Rails explains a 500 only
    # there. Created before the server boots; read when something has gone wrong.
    class OwnLog
      # Enough for several exceptions with their backtraces.
      TAIL_BYTES = 64 * 1024

      # Where Rails writes its log by default, relative to the application's folder.
      RAILS = File.join("log", "production.log")

      #: (String) -> void
      def initialize(path)
        @path = path
        @start = size
      end

      # What has been written since, at most the last TAIL_BYTES; "" if nothing was.
      #: () -> String
      def tail
        from = [@start <= size ? @start : 0, size - TAIL_BYTES].max
        Printable.call(File.open(@path, "rb") { |file| file.seek(from) && file.read.to_s })
      rescue SystemCallError
        ""
      end

      private

      def size = File.size?(@path) || 0
    end
  end
end
