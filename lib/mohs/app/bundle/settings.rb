# frozen_string_literal: true

require "yaml"

module Mohs
  class App
    class Bundle
      # Bundler's settings for a bundle, written to its own config file, which takes precedence over
      # the environment and the user's ~/.bundle/config.
      module Settings
        # Bundler's settings with a dot in their name ("build.pg", "mirror.https://...",
        # "gems.example.com" with the credentials) say how to get and build gems, as does the
        # setting against precompiled gems. The others (path, without, frozen, and path.system)
        # would change what is in the bundle.
        KEPT = /\ABUNDLE_(?:(?!PATH__)\w+__|FORCE_RUBY_PLATFORM\z)/

        # A precompiled gem is preferred if there is one. When built from source, these two gems
        # would spend minutes fetching and compiling a library that the machine already has.
        SYSTEM_LIBRARIES = {
          "BUNDLE_BUILD__SQLITE3" => "--enable-system-libraries",
          "BUNDLE_BUILD__NOKOGIRI" => "--use-system-libraries",
        }.freeze

        # Where `bundle install --deployment` puts an application's own gems, below its folder.
        VENDORED = File.join("vendor", "bundle")

        # `config` is the text of the application's .bundle/config, "" if there is none.
        #: (config: String, env: Hash[String, String]) -> Hash[String, String]
        def self.compose(config:, env:)
          kept = [env, parse(config)].map do |settings|
            settings.select { |name, _| name.match?(KEPT) }
          end
          { **SYSTEM_LIBRARIES, **kept[0], **kept[1],
            "BUNDLE_PATH__SYSTEM" => "true", "BUNDLE_WITHOUT" => "development:test",
            "BUNDLE_SILENCE_ROOT_WARNING" => "true" }
        end

        # The folders that may be the application's own bundle: the ones named by the application or
        # by the user's environment, and Bundler's usual one.
        #: (config: String, env: Hash[String, String], dir: String) -> Array[String]
        def self.paths(config:, env:, dir:)
          [parse(config)["BUNDLE_PATH"], env["BUNDLE_PATH"], VENDORED]
            .compact.map { |path| File.expand_path(path, dir) }.uniq
        end

        # The flat YAML that Bundler itself writes and reads.
        #: (Hash[String, String]) -> String
        def self.dump(settings)
          "---\n#{settings.map { |name, value| "#{name}: #{value.to_s.dump}\n" }.join}"
        end

        def self.parse(text)
          found = YAML.safe_load(text)
          found.is_a?(Hash) ? found.transform_keys(&:to_s).transform_values(&:to_s) : {}
        rescue Psych::Exception
          {}
        end
        private_class_method :parse
      end
    end
  end
end
