# frozen_string_literal: true

module Mohs
  module Report
    # How a person asks again for what a study reproduces. Its run was not typed as `mohs run`, so
    # the options of that are no help.
    module Reproduction
      module_function

      # What `mohs repro` finds a publication by, from the path of its file: its name, or the folder
      # of one that is not mohs's own.
      #: (String) -> String
      def place(file)
        folder = File.dirname(file)
        File.dirname(folder) == Repro::Library::FOLDER ? File.basename(folder) : folder
      end

      # The command, with these words behind it. published: as Study#published has it.
      #: (Hash[Symbol, untyped], *String) -> String
      def command(published, *words)
        file, size, only = published.values_at(:file, :size, :only)
        Terminal::Style.command(["mohs", "repro", place(file), *("--#{size}" if size),
                                 *(["--only", only] if only), *words])
      end
    end
  end
end
