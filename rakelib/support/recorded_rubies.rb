# frozen_string_literal: true

module Mohs
  # The Rubies that recorded documents of `mohs repro` name as measured: what Repro::Selection
  # needs of an inventory, wherever the pages are made.
  class RecordedRubies
    NAME = /\A(?<engine>j|truffle)?ruby (?<version>\d[\d.]*)/
    # The JITs of CRubies, by the start of their versions; other engines have no flag for theirs.
    JITS = { "2.6" => %w[--jit], "2.7" => %w[--jit], "3.0" => %w[--jit], "3.1" => %w[--yjit --mjit],
             "3.2" => %w[--yjit --mjit], "3.3" => %w[--yjit --rjit],
             "3.4" => %w[--yjit --rjit] }.freeze

    # One of them: always usable, as it was measured.
    Ruby = Struct.new(:name, :engine, :version, :flags, :reason, keyword_init: true) do
      #: () -> bool
      def ok? = true

      #: () -> Gem::Version
      def gem_version = Gem::Version.new(version)
    end

    # software: of documents, "ruby 2.7.4", "jruby 9.4.14.0".
    #: (Array[String]) -> void
    def initialize(software)
      @rubies = software.uniq.filter_map { |text| NAME.match(text) }.map { |match| ruby(match) }
                        .sort_by(&:gem_version).reverse
    end

    # By its name, or the start of it. Raises UsageError.
    #: (String) -> Mohs::RecordedRubies::Ruby
    def find(spec)
      name = spec.delete_prefix("ruby-")
      @rubies.find { |one| one.name == name || one.name.start_with?("#{name}.", "#{name}-") } ||
        raise(UsageError, "no Ruby #{spec.inspect} was measured.")
    end

    private

    def ruby(match)
      engine, version = "#{match[:engine]}ruby", match[:version]
      flags = match[:engine] ? [] : JITS.fetch(version[/\A\d+\.\d+/], [])
      Ruby.new(name: Rubies::Naming.of(engine, version), engine:, version:, flags:)
    end
  end
end
