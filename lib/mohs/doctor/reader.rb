# frozen_string_literal: true

module Mohs
  module Doctor
    # The files of /proc and /sys below one root folder, so that tests feed trees as other machines
    # have them. What isn't there, or may not be read, is nil: nothing is made up for it.
    class Reader
      attr_reader :root

      #: (?root: String) -> void
      def initialize(root: "/")
        @root = root
      end

      # `path` without a leading slash: "proc/stat".
      #: (String) -> String
      def path(path) = File.join(@root, path)

      # The text without the white space around it.
      #: (String) -> String?
      def text(path)
        Process::Text.utf8(bytes(path)).strip
      rescue SystemCallError
        nil
      end

      # The first whole number in it.
      #: (String) -> Integer?
      def number(path) = text(path)&.slice(/-?\d+/)&.to_i

      # Of "name number" lines, as vmstat and cpu.stat are.
      #: (String, String) -> Integer?
      def field(path, name) = text(path)&.slice(/^#{Regexp.escape(name)}:?\s+(\d+)/, 1)&.to_i

      # Paths, without the root, that match a shell pattern; in the order of the numbers in them.
      #: (String) -> Array[String]
      def glob(pattern) = matching(pattern).sort_by { |path| [path[/\d+/].to_i, path] }

      private

      def bytes(path) = File.binread(path(path))

      def matching(pattern) = Dir.glob(pattern, base: @root)
    end
  end
end
