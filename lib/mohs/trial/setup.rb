# frozen_string_literal: true

module Mohs
  class Trial
    # Everything that one trial needs to be booted, resolved from names: which Ruby, which server,
    # which bundle, what environment. Data and decisions only; Trial has the effects.
    class Setup
      # Layout of the environment block moves results by percents (Mytkowicz 2009), so each boot
      # gets another size of it.
      PADDING_BYTES = 4096

      # Characters of a secret that is looked for in a log: "1" stands in every line.
      LEAST_SECRET = 4

      attr_reader :variant, :ruby, :app, :bundle

      # shell: the environment that mohs itself was started in.
      #: (study: Study, variant: Study::Variant, app: App?, ruby: Rubies::Ruby?, bundle: App::Bundle?, ?random: Random, ?shell: Hash[String, String]) -> void
      def initialize(study:, variant:, app:, ruby:, bundle:, random: Random.new, shell: ENV.to_h)
        @study = study
        @variant = variant
        @app = app
        @ruby = ruby
        @bundle = bundle
        @shell = shell
        @padding = "." * random.rand(PADDING_BYTES)
      end

      # The class of its trials.
      #: () -> Class
      def trial_class = Trial

      #: () -> String
      def engine = @ruby.engine

      # What its processes load first, to answer for themselves.
      #: () -> String
      def inside
        Probes::Inside.script(engine: Rubies::Engines.named(engine), server: server_class)
      end

      #: () -> Array[App::Request]
      def requests = @study.requests

      # What the application demands of any server before it is measured.
      #: () -> Array[App::Check]
      def checks = @app.checks

      #: (Servers::Bind, String) -> Servers::Launch
      def launch(bind, folder) = server(bind, folder).launch

      # The server's command under this variant's Ruby, flags, bundle and environment.
      #: (Servers::Launch, String) -> Process::Command
      def command(launch, folder)
        bundled = !launch.gem.nil?
        @ruby.command(
          flags: @variant.flags, env: environment(folder).merge(launch.env),
          requires: bundled ? ["bundler/setup"] : [],
          script: bundled ? @bundle.executable(launch.executable) : launch.executable,
          args: launch.args, chdir: @app.dir
        )
      end

      # What the person should know of the application as it is served here.
      #: () -> Array[String]
      def notes
        environment = App::Environment.notes(@app, env: @shell.merge(asked))
        @app.notes + (@bundle&.notes || []) + environment +
          [@app.database&.shortage(@variant.threads, env: @shell.merge(asked))].compact
      end

      # A text with the secrets that the person gave masked: a server may log what it was started
      # with.
      #: (String) -> String
      def redact(text)
        secrets = @study.secrets.select { |secret| secret.length >= LEAST_SECRET }
        secrets.reduce(text) { |masked, secret| masked.gsub(secret, Secrets::MASK) }
      end

      # Versions of the gems that serve, for provenance: what differs between Rubies has to be seen.
      #: () -> Hash[String, String]
      def versions
        return {} unless @bundle

        @bundle.versions.slice(*server_class::GEMS.keys, "rack", "rails", "railties")
      end

      # What the attestation has to say about the JIT, nil where nothing is declared.
      #: () -> String?
      def expected_jit = @ruby.expects_jit(@variant.flags)

      #: () -> String
      def stop_signal = server_class.stop_signal

      #: () -> Integer
      def connections = @study.load_connections

      private

      def server_class = Servers.fetch(@variant.server)

      def server(bind, folder)
        settings = Servers::Settings.new(
          processes: @variant.processes, threads: @variant.threads, preload: @variant.preload,
          own_config: @study.own_config, config: @variant.config, bind:, folder:
        )
        server_class.new(settings, app: @app)
      end

      # What is loaded first stands in the trial's folder: RUBYOPT is split at spaces, which the
      # folder that mohs is installed in may have.
      def environment(folder)
        bundled = @bundle ? @bundle.env : {}
        attest = "-r#{File.join(folder, Probes::Inside::FILE)}"
        libraries = [bundled["RUBYLIB"], asked["RUBYLIB"]].compact
        App::Environment.for(@app, threads: @variant.threads, env: @shell.merge(asked)).merge(
          asked, bundled,
          "MOHS_INSIDE" => File.join(folder, "inside"), "MOHS_PADDING" => @padding,
          "RUBYOPT" => [attest, asked["RUBYOPT"]].compact.join(" "),
          "RUBYLIB" => (libraries.join(":") if libraries.any?), **temporary(folder)
        )
      end

      # What an engine leaves behind there goes with the trial's folder.
      def temporary(folder)
        leaves = Rubies::Engines.of(@ruby).leaves_files?(expected_jit)
        leaves && !asked.key?("TMPDIR") ? { "TMPDIR" => folder } : {}
      end

      # What the person set, for all servers and for this variant.
      def asked = @study.env.merge(@variant.env)
    end
  end
end
