# frozen_string_literal: true

require "shellwords"

module Mohs
  class App
    class Bundle
      # A shell script that runs a command in production mode with an installed bundle, under its
      # Ruby: for what a person has to do for an application before mohs can measure it, such as
      # preparing its database. Their shell may have another Ruby, and none of these gems.
      class Wrapper
        FILE = "run"
        # Rails refuses to start without one.
        SECRET = 'export SECRET_KEY_BASE="${SECRET_KEY_BASE-any}"'
        private_constant :SECRET

        # Writes that of the bundle in `folder`, whose variables are `env`.
        #: (String, ruby: Rubies::Ruby, env: Hash[String, String?]) -> void
        def self.write(folder, ruby:, env:)
          AtomicFile.write(File.join(folder, FILE), text(ruby, env))
        end

        # The command that runs another one by it; nil if it has not been written.
        #: (String) -> String?
        def self.command(folder)
          path = File.join(folder, FILE)
          Shell.command(["sh", path]) if File.file?(path)
        end

        # Where a shell finds the bundle's executables, and then this Ruby's: one may come without
        # rake, and the next one on PATH may be another Ruby's. gem_home: nil if there is no bundle.
        #: (Rubies::Ruby, String?) -> Array[String]
        def self.folders(ruby, gem_home)
          [*(File.join(gem_home, "bin") if gem_home), File.dirname(ruby.path)]
        end

        def self.text(ruby, env)
          set = { **ruby.command(env:).env, **Environment::PRODUCTION,
                  "RUBYOPT" => "-rbundler/setup" }
          assignments = set.map do |name, value|
            value ? "export #{name}=#{Shellwords.escape(value)}" : "unset #{name}"
          end
          folders = folders(ruby, env.fetch("GEM_HOME"))
          path = "export PATH=#{Shellwords.escape(folders.join(':'))}:\"$PATH\""
          ["#!/bin/sh", *assignments, SECRET, path, 'exec "$@"', ""].join("\n")
        end
        private_class_method :text
      end
    end
  end
end
