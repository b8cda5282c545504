# frozen_string_literal: true

module Mohs
  module Analysis
    # Gems of which the variants of a run loaded different versions: each Ruby has the newest that
    # it admits, so it is not the interpreter alone that differs.
    module GemVersions
      # Gems that each Ruby has in a version of its own.
      OWN = %w[bundler].freeze

      module_function

      # gems: { variant's name => { gem => version } }, as attested. Returns nil if none differs; a
      # variant that lacks a gem does not count as a difference. `differing`: gems (those with the
      # same versions in all variants are one entry) and { version => names of variants }.
      #: (Hash[String, Hash[untyped, String]]) -> Analysis::Finding?
      def call(gems)
        names = gems.values.flat_map(&:keys).map(&:to_s).uniq - OWN
        found = names.to_h { |name| [name, versions(gems, name)] }
                     .select { |_, versions| versions.size > 1 }
        return if found.empty?

        differing = found.group_by(&:last).map do |versions, same|
          { gems: same.map(&:first), versions: }
        end
        Finding.note("gems_differ", differing:)
      end

      def versions(gems, name)
        known = gems.transform_values { |all| all.transform_keys(&:to_s)[name] }.compact
        oldest_first = known.sort_by { |_, version| comparable(version) }
        oldest_first.group_by(&:last).transform_values { |same| same.map(&:first) }
      end

      # For sorting versions. A server may report anything.
      #: (String) -> Gem::Version
      def comparable(version)
        Gem::Version.new(Gem::Version.correct?(version) ? version : "0")
      end
      private_class_method :versions
    end
  end
end
