# frozen_string_literal: true

module Mohs
  class CLI
    # The applications of stored runs, as users name them.
    class Apps
      # folders: of applications. dir: where relative paths start.
      #: (Array[String], dir: String) -> void
      def initialize(folders, dir:)
        @folders = folders
        @dir = dir
      end

      # The folders that `name` means: all folders with that name, or the folder at that path.
      # Raises UsageError.
      #: (String) -> Array[String]
      def named(name)
        path = File.expand_path(name, @dir)
        found = @folders.select { |folder| File.basename(folder) == name || folder == path }
        return found if found.any?

        raise UsageError, "no run of the application #{name.inspect}. #{hint(name)}"
      end

      private

      def hint(name)
        names = @folders.map { |folder| File.basename(folder) }.uniq.sort
        return "Nothing has been measured yet." if names.empty?

        Suggest.hint(name, names, otherwise: "There are runs of #{Wording.few(names, 5)}.")
      end
    end
  end
end
