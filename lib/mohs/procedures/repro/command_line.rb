# frozen_string_literal: true

module Mohs
  module Repro
    # How a user asks for a reproduction again.
    module CommandLine
      module_function

      # The argument by which `mohs repro` finds a publication, from the path of its file: its name,
      # or its folder if the study is not mohs's own.
      #: (String) -> String
      def place(file)
        folder = ::File.dirname(file)
        ::File.dirname(folder) == Repro::Library::FOLDER ? ::File.basename(folder) : folder
      end

      # What `mohs show` needs to print this document of a run, and not the claims that it tests.
      #: (Hash[Symbol, untyped]) -> Array[String]
      def shown(document) = document[:reproduces] ? ["--table"] : []

      # The command, with these words appended. order: as Order#to_h.
      #: (Hash[Symbol, untyped], *String) -> String
      def command(order, *words)
        file, size, only = order.values_at(:file, :size, :only)
        Report::Shell.command(["mohs", "repro", place(file), *("--#{size}" if size),
                                 *(["--only", only] if only), *words])
      end
    end
  end
end
