# frozen_string_literal: true

require "yaml"

module Mutants
  # Mutations that no test can tell from the original, each with the reason: a list of `file`,
  # `before`, `after`, `why`. They are tried like all others, and left out of the score if they
  # survive.
  class Equivalents
    #: (String) -> Equivalents
    def self.load(path) = new(File.exist?(path) ? YAML.safe_load_file(path) || [] : [])

    #: (Array[Hash[String, String]]) -> void
    def initialize(entries)
      entries.each do |entry|
        next if %w[file before after why].all? { |key| entry[key].to_s.match?(/\S/) }

        raise Error, "an equivalent mutation needs file, before, after and why: #{entry}"
      end
      @reasons = entries.to_h { |entry| [entry.values_at("file", "before", "after"), entry["why"]] }
    end

    #: (Mutation) -> bool
    def include?(mutation) = @reasons.key?(mutation.key)

    # Files that the entries are about.
    #: () -> Array[String]
    def files = @reasons.keys.map(&:first).uniq

    # Entries about `files` that match none of `mutations`, since the code has changed.
    #: (Array[Mutation], Array[String]) -> Array[String]
    def stale(mutations, files)
      gone = @reasons.keys - mutations.map(&:key)
      gone.select { |file, *| files.include?(file) }.map { |key| key.join("  ") }
    end
  end
end
