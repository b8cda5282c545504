# frozen_string_literal: true

module Mohs
  module Rubies
    module Finders
      # The contract of a finder, and what finders for version managers share:
      #   .candidates(env)   absolute paths of executables that may be Rubies; none is started
      #   #versions          (for the shared #candidates) folders whose children have a bin/ruby
      class Base
        #: (Hash[String, String]) -> Array[String]
        def self.candidates(env) = new(env).candidates

        #: (Hash[String, String]) -> void
        def initialize(env)
          @env = env
        end

        # Links that a manager makes to versions ("3.4" for "3.4.5") are kept: a Ruby is counted
        # once, by its real path.
        #: () -> Array[String]
        def candidates
          versions.uniq.flat_map { |folder| Dir.glob(File.join(folder, "*", "bin", "ruby")) }
                  .select { |path| File.file?(path) && File.executable?(path) }.sort
        end

        private

        # `names` in the user's home; [] if there is no home.
        def at_home(*names) = @env["HOME"] ? [File.join(@env["HOME"], *names)] : []

        # A manager's roots: from its variable, its usual places, and the folder above shims in
        # PATH, because the variable is often set only in interactive shells.
        def roots(variable, *usual) = [*@env[variable], *usual.flatten, *shimmed]

        def shimmed
          shims = @env["PATH"].to_s.split(":").select { |folder| File.basename(folder) == "shims" }
          shims.map { |folder| File.dirname(folder) }
        end
      end
    end
  end
end
