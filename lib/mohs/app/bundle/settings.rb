# frozen_string_literal: true

require "yaml"

module Mohs
  class App
    class Bundle
      # Bundler's settings for a bundle, written to its own config file, which takes precedence over
      # the environment. Bundler itself doesn't see the files of the application and the user.
      module Settings
        # Settings that say how to get and build gems: those with a dot in their name ("build.pg",
        # "mirror.https://...", "gems.example.com" with the credentials) or named after a URL, and a
        # few others. The rest (path, frozen, deployment, bin, clean, and path.system) would change
        # where the bundle is and how it is kept.
        KEPT = %r{\ABUNDLE_(?:(?!PATH__)\w+__|HTTPS?://|
                  (?:FORCE_RUBY_PLATFORM|SPECIFIC_PLATFORM|PREFER_PATCH|JOBS|TIMEOUT|RETRY|REDIRECT|
                  SSL_CA_CERT|SSL_CLIENT_CERT|SSL_VERIFY_MODE|DISABLE_CHECKSUM_VALIDATION)\z)}x

        # Groups that are not served, and those that are: machines for development often leave out
        # the second.
        LEFT_OUT = %w[development test].freeze
        SERVED = %w[default production].freeze

        BUILD = "BUNDLE_BUILD__"

        # A precompiled gem is preferred if there is one. When built from source, these two gems
        # would spend minutes fetching and compiling a library that the machine already has.
        SYSTEM_LIBRARIES = {
          "BUNDLE_BUILD__SQLITE3" => "--enable-system-libraries",
          "BUNDLE_BUILD__NOKOGIRI" => "--use-system-libraries",
        }.freeze

        # Where `bundle install --deployment` puts an application's own gems, below its folder.
        VENDORED = File.join("vendor", "bundle")

        # The settings of the user for an application in `dir`: Bundler's own order is the
        # application's, the environment's, the user's. The block returns a file's text, "" if there
        # is none.
        #: (dir: String, env: Hash[String, String]) { (String) -> String } -> Hash[String, String]
        def self.given(dir:, env:)
          env = env.reject { |_, value| value.to_s.empty? }
          mine = user_file(env)
          own = File.join(env.fetch("BUNDLE_APP_CONFIG", ".bundle"), "config")
          { **(mine ? parse(yield(mine)) : {}), **env,
            **parse(yield(File.expand_path(own, dir))) }
        end

        # The settings of a bundle. given: the user's.
        #: (Hash[String, String]) -> Hash[String, String]
        def self.compose(given)
          { **SYSTEM_LIBRARIES, **given.select { |name, _| name.match?(KEPT) }, **groups(given),
            "BUNDLE_PATH__SYSTEM" => "true", "BUNDLE_SILENCE_ROOT_WARNING" => "true" }
        end

        # The folders that may be the application's own bundle: the one that was configured, and
        # Bundler's usual one.
        #: (Hash[String, String], String) -> Array[String]
        def self.paths(given, dir)
          [given["BUNDLE_PATH"], VENDORED].compact.map { |path| File.expand_path(path, dir) }.uniq
        end

        # The settings of a bundle with which gems are compiled in another way than usual, in a
        # fixed order.
        #: (Hash[String, String]) -> Hash[String, String]
        def self.flags(settings)
          own = settings.reject { |name, value| SYSTEM_LIBRARIES[name] == value }
          own.select { |name, _| name.start_with?(BUILD) }.sort.to_h
        end

        # The flat YAML that Bundler itself writes and reads.
        #: (Hash[String, String]) -> String
        def self.dump(settings)
          "---\n#{settings.map { |name, value| "#{name}: #{value.to_s.dump}\n" }.join}"
        end

        def self.parse(text)
          found = YAML.safe_load(text)
          return {} unless found.is_a?(Hash)

          found.to_h { |name, value| [name.to_s, [*value].join(":")] }
        rescue Psych::Exception
          {}
        end

        # nil if the user has no home.
        def self.user_file(env)
          home = env["BUNDLE_USER_HOME"] || (env["HOME"] && File.join(env["HOME"], ".bundle"))
          env["BUNDLE_CONFIG"] || env["BUNDLE_USER_CONFIG"] || (home && File.join(home, "config"))
        end

        def self.groups(given)
          without, with, only = %w[WITHOUT WITH ONLY].map do |name|
            given["BUNDLE_#{name}"].to_s.split(/[ :]/)
          end
          only = ["default", *only].uniq if only.any?
          found = { "BUNDLE_WITHOUT" => (LEFT_OUT | without) - SERVED,
                    "BUNDLE_WITH" => with - LEFT_OUT, "BUNDLE_ONLY" => only - LEFT_OUT }
          found.reject { |_, names| names.empty? }.transform_values { |names| names.join(":") }
        end
        private_class_method :parse, :user_file, :groups
      end
    end
  end
end
