# frozen_string_literal: true

module Mohs
  # The executables of the CRubies in /opt/rubies that mohs supports, without starting any: their
  # folders have the version in their names.
  module InstalledRubies
    # Those with a version in the range, which may be open.
    #: (?from: String, ?before: String?) -> Array[String]
    def self.all(from: Rubies::Engines::Cruby::OLDEST.to_s, before: nil)
      Dir["/opt/rubies/ruby-[0-9]*/bin/ruby"].select do |path|
        found = version(path)
        found >= Gem::Version.new(from) && (before.nil? || found < Gem::Version.new(before))
      end
    end

    #: (String) -> Gem::Version
    def self.version(path) = Gem::Version.new(path[%r{/ruby-(\d+(?:\.\d+)*)}, 1])
  end
end
