# frozen_string_literal: true

module Mohs
  module Report
    # What changed in an application's folder (App::FolderChanges), in a line: the files that say
    # something by their names, and folders whose files were written by a program for itself.
    module ChangedFiles
      # Most files that are named.
      FEW = Templates::FEW
      # How deep a folder is that is named in their place.
      IN_FOLDER = %r{\A[^/]+/(?:[^/]+/)?}

      # A folder of which two files are too many, since nobody has written them.
      TEMPORARY = %r{\Atmp/[^/]+/}

      # Names that are hashes, as in a cache: "0B7/C11/a%3Ab", "9f86d081884c7d65".
      HASHED = %r{/\h{2,3}/\h{2,3}/|%\h\h|\h{16}}

      module_function

      # By what they were changed, in the order of its largest change.
      #: (Array[Hash[Symbol, untyped]]) -> String
      def text(changes)
        cut = changes.size >= App::FolderChanges::MOST
        changes.group_by { |change| change[:by] }.map do |by, all|
          who = by ? "by #{by}" : "meanwhile, probably by the application"
          "changed in the application's folder #{who}: #{Wording.few(named(all, cut), FEW, cut:)}"
        end.join("; ")
      end

      def named(changes, cut)
        changes.group_by { |change| change[:path][IN_FOLDER] }.flat_map do |folder, all|
          next all.map { |change| file(change) } unless folder && counted?(folder, all)

          "#{folder} (#{Numbers.counted(all.size, 'file')}#{' or more' if cut})"
        end
      end

      def counted?(folder, changes)
        changes.size > (TEMPORARY.match?(folder) ? 1 : FEW) ||
          changes.any? { |change| HASHED.match?(change[:path]) }
      end

      def file(change)
        grown = Numbers.bytes(change[:bytes]) if change[:change] == "changed"
        "#{change[:path]} (#{grown || change[:change]})"
      end

      private_class_method :named, :counted?, :file
    end
  end
end
