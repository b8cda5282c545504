# frozen_string_literal: true

module Mohs
  # Where mohs keeps things, by the XDG Base Directory Specification: its own variables, else the
  # folders below HOME.
  module Folders
    # Can be rebuilt: identities of Rubies, bundles, gems.
    #: (?Hash[String, String]) -> String
    def self.cache(env = ENV.to_h) = below(env, "XDG_CACHE_HOME", ".cache")

    # Can't be rebuilt: runs, and the secrets of those that are not finished.
    #: (?Hash[String, String]) -> String
    def self.data(env = ENV.to_h) = below(env, "XDG_DATA_HOME", File.join(".local", "share"))

    # The state of this machine: what `mohs doctor --fix` has changed.
    #: (?Hash[String, String]) -> String
    def self.state(env = ENV.to_h) = below(env, "XDG_STATE_HOME", File.join(".local", "state"))

    # The specification says to ignore relative paths.
    def self.below(env, variable, default)
      folder = env[variable].to_s
      folder = File.join(env["HOME"] || Dir.home, default) unless folder.start_with?("/")
      File.join(folder, "mohs")
    end
    private_class_method :below
  end
end
