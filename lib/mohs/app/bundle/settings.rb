# frozen_string_literal: true

require "yaml"

module Mohs
  class App
    class Bundle
      # Bundler's settings for a bundle, written to its own config file, which takes precedence over
      # the environment and the person's ~/.bundle/config.
      module Settings
        # Settings of Bundler with a dot in their name ("build.pg", "mirror.https://...",
        # "gems.example.com" with the credentials) say how to get and build gems; the others (path,
        # without, frozen, and path.system) would change what is in the bundle.
        DOTTED = /\ABUNDLE_(?!PATH__)\w+__/

        # A precompiled gem is preferred if there is one. Built from source, these two would spend
        # minutes on fetching and compiling a library that the machine has.
        SYSTEM_LIBRARIES = {
          "BUNDLE_BUILD__SQLITE3" => "--enable-system-libraries",
          "BUNDLE_BUILD__NOKOGIRI" => "--use-system-libraries",
        }.freeze

        # `config` is the text of the application's .bundle/config, "" if there is none.
        #: (config: String, env: Hash[String, String], gems: String) -> Hash[String, String]
        def self.compose(config:, env:, gems:)
          kept = [env, parse(config)].map do |settings|
            settings.select { |name, _| name.match?(DOTTED) }
          end
          { **SYSTEM_LIBRARIES, **kept[0], **kept[1],
            "BUNDLE_PATH" => gems, "BUNDLE_WITHOUT" => "development:test",
            "BUNDLE_SILENCE_ROOT_WARNING" => "true" }
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
