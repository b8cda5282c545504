# frozen_string_literal: true

module Mohs
  module Repro
    # The published studies of this checkout, and any folder that the user names.
    class Library
      FOLDER = ::File.join(Mohs.root, "studies")

      #: (?folder: String, ?servers: Module) -> void
      def initialize(folder: FOLDER, servers: Servers)
        @folder = folder
        @servers = servers
      end

      # Sorted names.
      #: () -> Array[String]
      def names
        Dir.glob("*/#{File::NAME}", base: @folder).map { |path| ::File.dirname(path) }.sort
      end

      #: () -> Array[Repro::Publication]
      def all = names.map { |name| own(name) }

      # One study of this checkout.
      #: (String) -> Repro::Publication
      def own(name) = load(::File.join(@folder, name))

      # Finds a study by its name, or by its folder relative to `dir`, if the name contains a slash
      # or is a folder.
      #: (String, dir: String) -> Repro::Publication
      def find(name, dir:)
        return load(::File.join(@folder, name)) if names.include?(name)

        folder = ::File.expand_path(name, dir)
        return load(folder) if name.include?("/") || ::File.directory?(folder)

        raise UsageError, "no published study is called #{name.inspect}. #{hint(name)} A folder " \
                          "of your own: #{Report::Proposal.to('repro', "./#{name}")}"
      end

      private

      # Suggests the names that begin with what was typed, else the nearest name.
      def hint(name)
        begun = names.select { |known| known.start_with?(name) }
        begun.empty? ? Suggest.hint(name, names) : "Did you mean #{begun.join(' or ')}?"
      end

      def load(folder) = File.load(folder, servers: @servers)
    end
  end
end
