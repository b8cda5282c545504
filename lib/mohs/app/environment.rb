# frozen_string_literal: true

require "digest"

module Mohs
  class App
    # The environment in which an application is served: production, quiet, and with what Rails
    # refuses to start without. --env and the variant's settings take precedence.
    module Environment
      # Hanami itself reads APP_ENV, too; its command line, in --prepare, only its own variable.
      PRODUCTION = %w[RACK_ENV RAILS_ENV APP_ENV HANAMI_ENV].to_h { |name| [name, "production"] }
                                                            .freeze

      # Rails' own switches. Without RAILS_LOG_TO_STDOUT, its log is kept out of the server's;
      # RAILS_LOG_LEVEL (7.1 and later) suppresses the line for each request; the application serves
      # its own assets, because there is no web server in front of it.
      RAILS = {
        "RAILS_LOG_TO_STDOUT" => nil, "RAILS_LOG_LEVEL" => "warn",
        "RAILS_SERVE_STATIC_FILES" => "1",
      }.freeze

      # A secret in config/secrets.yml, and encrypted files with the keys that decrypt them.
      SECRET = /^\s+secret_key_base:\s*["']?\h{30,}/
      CREDENTIALS = {
        "credentials.yml.enc" => "master.key",
        "credentials/production.yml.enc" => "credentials/production.key",
      }.freeze

      # Files that may have the secret of an application's cookies: those of Rails' development
      # mode (from 7.1 on; before), and those of any mode.
      SECRET_FILES = ["tmp/local_secret.txt", "tmp/development_secret.txt", "config/secrets.yml",
                      *CREDENTIALS.keys.map { |path| "config/#{path}" }].freeze

      module_function

      # The variables for `app` (nil: unset). `threads`, those of each server process, set the
      # database pool of an application that reads RAILS_MAX_THREADS, as Rails' template of
      # database.yml does. `env` is the environment of the user's shell.
      #: (App, ?threads: Integer?, ?env: Hash[String, String]) -> Hash[String, String?]
      def for(app, threads: nil, env: ENV.to_h)
        set = PRODUCTION.dup
        set["RAILS_MAX_THREADS"] = threads.to_s if threads
        return set unless app.rails?

        set.update(RAILS)
        set["SECRET_KEY_BASE"] = throw_away_secret(app) if temporary_secret?(app, env)
        set
      end

      # What the user should know about this environment. cookie: whether clients send cookies of
      # the user's.
      #: (App, ?env: Hash[String, String], ?cookie: bool) -> Array[App::Note]
      def notes(app, env: ENV.to_h, cookie: false)
        temporary_secret?(app, env) ? [Note.of("temporary_secret", cookie:)] : []
      end

      # If the application gets a temporary secret: its files, below its folder, that may have the
      # one which made the user's cookie. nil if it has its own secret or needs none.
      #: (App, ?env: Hash[String, String]) -> Array[String]?
      def secret_files(app, env: ENV.to_h)
        return unless temporary_secret?(app, env)

        SECRET_FILES.select { |path| File.file?(File.join(app.dir, path)) }
      end

      def temporary_secret?(app, env) = app.rails? && !secret?(app, env)

      # Does the application have its own secret? A secret in the environment takes precedence over
      # one in its files, and a cookie that the user sends is valid only with the user's secret.
      def secret?(app, env)
        return true unless env["SECRET_KEY_BASE"].to_s.empty?
        return true if credentials?(app, env)

        secrets = File.join(app.dir, "config", "secrets.yml")
        File.file?(secrets) && File.read(secrets)[/^production:.*/m].to_s.match?(SECRET)
      end

      def credentials?(app, env)
        CREDENTIALS.any? do |sealed, key|
          file?(app, sealed) && (file?(app, key) || env["RAILS_MASTER_KEY"])
        end
      end

      def file?(app, path) = File.file?(File.join(app.dir, "config", path))

      # The same each time, so that every server of a run, resumed or not, accepts the cookies of
      # the others. It can be guessed, which does no harm: these servers can be reached only from
      # this machine, and they run for seconds.
      def throw_away_secret(app) = Digest::SHA512.hexdigest("a secret of mohs for #{app.dir}")

      private_class_method :temporary_secret?, :secret?, :credentials?, :file?, :throw_away_secret
    end
  end
end
