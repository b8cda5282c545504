# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # Bundler's settings for a bundle, written to its own config file, which takes precedence over
      # the environment. Bundler itself doesn't see the files of the application and the user.
      module Settings
        # A setting's name, in a file or the environment. Nothing in it ends the name or the line.
        NAME = /BUNDLE_[!-~&&[^#]]+/

        # Settings that say how to get and build gems: those with a dot in their name ("build.pg",
        # "mirror.https://...", "gems.example.com" with the credentials) or named after a URL, and a
        # few others. The rest (path, frozen, deployment, bin, clean, and path.system) would change
        # where the bundle is and how it is kept.
        KEPT = %r{\ABUNDLE_(?:(?!PATH__)[\w-]+__|HTTPS?://|
                  (?:FORCE_RUBY_PLATFORM|SPECIFIC_PLATFORM|PREFER_PATCH|JOBS|TIMEOUT|RETRY|REDIRECT|
                  SSL_CA_CERT|SSL_CLIENT_CERT|SSL_VERIFY_MODE|DISABLE_CHECKSUM_VALIDATION)\z)}x

        # Credentials for a host without a dot look like any other setting, but for their colon. So
        # do lists of groups.
        HOST = /\ABUNDLE_(?!(?:WITHOUT|WITH|ONLY|PATH)\z)[\w-]+\z/
        LOGIN = %r{\A[^\s:/]+:[^\s/]+\z}

        # Groups that are not served, and those that are: machines for development often leave out
        # the second.
        LEFT_OUT = %w[development test].freeze
        SERVED = %w[default production].freeze

        BUILD = "BUNDLE_BUILD__"

        # Settings whose values are no credentials. Those of the other names are, unless they are
        # plain words, numbers or paths.
        PUBLIC = /\ABUNDLE_(?:(?:BUILD|LOCAL|MIRROR|PATH)__|(?:WITH|WITHOUT|ONLY)\z)/

        # A precompiled gem is preferred if there is one. When built from source, these two gems
        # would spend minutes fetching and compiling a library that the machine already has.
        SYSTEM_LIBRARIES = {
          "BUNDLE_BUILD__SQLITE3" => "--enable-system-libraries",
          "BUNDLE_BUILD__NOKOGIRI" => "--use-system-libraries",
        }.freeze

        # A line of a file: a setting, or an item of its list.
        SETTING = /\A(?<name>#{NAME}):(?:[ \t]+(?<value>[^\0]*))?\z/
        ITEM = /\A *- (?<value>[^\0]*)\z/
        # A value in quotes, within which Bundler unescapes nothing; any value's comment.
        QUOTED = /\A(["'])(.*)\1(?:\s+#[^"']*)?\z/
        COMMENT = /\s+#.*/
        # A value that every Bundler reads from a file as it was written there. Others cut it off at
        # a "#", take what precedes a colon and a space for the name, or can't read the file at all
        # where only ASCII is expected.
        HOLDABLE = /\A(?!.*:\s)[ -~&&[^#]]*\z/

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
          { **SYSTEM_LIBRARIES, **given.select { |*setting| kept?(*setting) }, **groups(given),
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

        # The credentials for gem servers in the settings of a bundle ("USER:PASS", "TOKEN"), whole
        # and in their parts, of which either may be the secret one.
        #: (Hash[String, String]) -> Array[String]
        def self.credentials(settings)
          values = settings.reject { |name, _| name.match?(PUBLIC) }.values
          parts = values.flat_map { |value| [value, *value.split(":", 2)] }
          parts.uniq.grep_v(Secrets::ORDINARY)
        end

        # The file, as Bundler itself writes and reads it: not quite YAML. It lacks the settings in
        # `environment`.
        #: (Hash[String, String]) -> String
        def self.dump(settings)
          held = settings.except(*environment(settings).keys)
          "---\n#{held.map { |name, value| "#{name}: \"#{value}\"\n" }.join}"
        end

        # The settings to get and build gems that a file can't hold: variables for `bundle install`.
        #: (Hash[String, String]) -> Hash[String, String]
        def self.environment(settings)
          settings.reject { |name, value| value.b.match?(HOLDABLE) || !kept?(name, value) }
        end

        def self.kept?(name, value)
          name = name.b
          name.match?(/\A#{NAME}\z/o) &&
            (name.match?(KEPT) || (name.match?(HOST) && value.b.match?(LOGIN)))
        end

        # Settings of a file. Lines that are none are skipped.
        def self.parse(text)
          name = nil
          text.each_line.with_object({}) do |line, found|
            line = line.strip
            if (setting = SETTING.match(line))
              found[name = setting[:name]] = value(setting[:value].to_s)
            elsif name && (item = ITEM.match(line))
              found[name] = [found[name], value(item[:value])].reject(&:empty?).join(":")
            else
              name = nil
            end
          end
        end

        def self.value(text)
          return text[QUOTED, 2] if text.match?(QUOTED)

          text == "[]" ? "" : text.sub(COMMENT, "")
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
        private_class_method :kept?, :parse, :value, :user_file, :groups
      end
    end
  end
end
