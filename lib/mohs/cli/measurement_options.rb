# frozen_string_literal: true

module Mohs
  class CLI
    # The options of a measurement, read into a declaration (see Study::Builder). --body, --header,
    # --expect and --weight apply to the preceding request; before the first request they apply to
    # all.
    class MeasurementOptions
      # tell: called with lines of progress.
      #: (CLI::Context, tell: ^(Array[String]) -> void) -> void
      def initialize(context, tell:)
        @context = context
        @values = {}
        @env = {}
        @env_file = {}
        @variants = []
        @requests = RequestOptions.new(context, tell:)
        @streams = StreamOptions.new
      end

      # variants, requests: false if the command names them itself. shapes: false if the command
      # searches for processes and threads, by rates. without: request methods whose option has
      # another meaning in the command. streams: whether it can measure streams. rated: whether
      # --rate is for the requests of all variants (#rate). connections: the help of --connections,
      # if the command has another default than a run.
      #: (OptionParser, ?variants: bool, ?requests: bool, ?shapes: bool, ?streams: bool, ?rated: bool, ?connections: String?, ?without: Array[String]) -> void
      def define(parser, variants: true, requests: true, shapes: true, streams: false,
                 rated: false, connections: (STREAMED if streams), without: [])
        parser.about("subject") do
          where(parser)
          signing_in(parser)
          own_jit(parser)
          own_config(parser) if shapes
          @requests.define(parser, without:) if requests
          clients(parser) if requests && shapes
          @streams.define_slices(parser, rated:) if streams
        end
        parser.about("variants") { what(parser) } if variants
        how(parser, %i[connections seed] + (variants ? [:rounds] : []), { connections: }.compact)
        parser.about("subject") do
          holding(parser) if shapes
          shelter(parser)
          elsewhere(parser)
        end
      end

      # Requests that fall due per second, of every variant; nil: a closed loop. Raises UsageError.
      #: () -> Integer?
      def rate = @streams.requests_per_s

      # Only options that were given. Raises UsageError.
      #: () -> Hash[Symbol, untyped]
      def declaration
        values = @values.merge(requests: @requests.to_a(usual: @streams.path("/")))
        env = @env_file.merge(@env)
        values[:env] = env if env.any?
        values[:variants] = notations if @variants.any?
        values[:load_from] = load_from
        values[:streams] = @streams.declaration
        raise UsageError, "--all and --variant can't be combined." if
          values[:all] && values.key?(:variants)

        values.compact
      end

      private

      # nil if not given: a study file may have it.
      def load_from
        raise UsageError, "--listen is for --load-from HOST." if @listen && !@load_from

        @load_from && Study::LoadFrom.parse(@load_from, listen: @listen)
      end

      # [nil, notation] for each: nil is the place in a file.
      def notations
        @variants.map { |text| [nil, Study::Notation.parse(text, servers: @context.servers)] }
      end

      def where(parser)
        parser.on("--app DIR", "the application's folder (default: this one)") do |dir|
          @values[:app] = File.expand_path(dir, @context.dir)
        end
        parser.on("--env K=V", "environment of every server; repeatable",
                  secrets: EnvFile) { |pair| assign(pair) }
        parser.on("--env-file FILE", "file of NAME=value lines; --env takes precedence") do |path|
          @env_file.update(EnvFile.load(path, dir: @context.dir))
        end
        parser.on("--service NAME", "a private postgresql, mysql, redis or memcached beside",
                  "each server; repeatable") { |name| (@values[:services] ||= []) << service(name) }
        parser.on("--prepare COMMAND", "fill the private databases with this, once a run, in",
                  "place of db:prepare: \"bin/rails db:prepare db:seed\"") do |text|
          @values[:prepare] = text
        end
      end

      def signing_in(parser)
        parser.on("--login USER:PASSWORD", "sign in with the application's own form, on each",
                  "server, and send its cookie") do |text|
          @values[:login] = Study::Credentials.parse(text)
        rescue UsageError => error
          raise UsageError, "--login: #{error.message}"
        end
      end

      def own_jit(parser)
        parser.on("--own-jit", "keep the JIT that the application turns on by itself,",
                  "in every variant") { @values[:own_jit] = true }
      end

      def own_config(parser)
        parser.on("--own-config", "use the application's own server configuration") do
          @values[:own_config] = true
        end
      end

      def clients(parser)
        parser.on("--scenario FILE", "what each connection does, with a session of its own",
                  "(mohs docs scenario)") do |path|
          @values[:scenario] = Study::ScenarioFile.read(File.expand_path(path, @context.dir))
        end
      end

      def service(name) = name.tap { Services.fetch(name) }

      def assign(pair)
        key, value = pair.split("=", 2)
        return @env[key] = value if value && !key.empty?

        raise UsageError, "--env #{pair.inspect}: write it as NAME=value"
      end

      def what(parser)
        parser.on("--variant V", "what to measure: \"3.4.5 --yjit\", puma:2x5,",
                  "\"puma:2x5 preload unix\", NAME=value, or several",
                  "joined by \", \" (mohs help variants); repeatable") { |text| @variants << text }
        parser.on("--all", "every Ruby that your Gemfile allows, with each JIT") do
          @values[:all] = true
        end
        parser.on("--baseline V", "the variant that others are compared with") do |text|
          @values[:baseline] = text
        end
      end

      # { name => [what it is about, help] }
      COUNTS = {
        connections: ["subject", "connections kept busy (default: 4 or fewer)"],
        rounds: ["extent",
                 "number of rounds; each boots every server again (default: until decided)"],
        seed: ["extent", "random seed of the order; the same seed gives the same order"],
      }.freeze
      STREAMED = "connections kept busy (default: 4 or fewer; 10 for streams)"
      private_constant :COUNTS, :STREAMED

      # own: the help of those that the command explains itself.
      def how(parser, counts, own)
        COUNTS.slice(*counts).each do |key, (about, help)|
          parser.about(about) { count(parser, key, own.fetch(key, help)) }
        end
        parser.about("extent") do
          parser.on("--budget TIME", "time limit: 90s, 2m, 1h") do |text|
            @values[:budget_s] = Study::Duration.parse(text)
          end
        end
        parser.about("subject") do
          parser.on("--warm-up TIME", "longest warm-up of a server: 10s, 10m") do |text|
            @values[:warm_up_s] = Study::Duration.parse(text)
          end
        end
      end

      def count(parser, key, help)
        parser.on("--#{key} N", help) do |text|
          @values[key] = Options.whole(text, option: "--#{key}", least: Study::Entry::LEAST[key])
        end
      end

      def holding(parser)
        parser.on("--hold K=V", "keep this the same for all variants: concurrency=16",
                  "(processes x threads), memory=512MB; repeatable") { |pair| hold(pair) }
      end

      # Options for the cores and the shield.
      def shelter(parser)
        parser.on("--cores N", "cores of each server: how many (2) or which (0,1)") do |text|
          @values[:cores] = Study::Cores.parse(text)
        end
        parser.on("--shield", "keep other processes from interrupting servers (root)") do
          @values[:shield] = true
        end
      end

      def elsewhere(parser)
        parser.on("--load-from HOST", "send load from another of your machines, over ssh:",
                  "lab@b (mohs help fleet)") { |host| @load_from = host }
        parser.on("--listen ADDRESS", "address of this machine for --load-from",
                  "(default: the one that ssh connects from)") { |address| @listen = address }
      end

      def hold(pair)
        name, value = pair.split("=", 2)
        raise UsageError, "--hold #{pair.inspect}: write concurrency=16 or memory=512MB" \
          if value.nil?

        @held = { **@held.to_h, name => value }
        @values[:hold] = Study::Hold.parse(@held)
      end
    end
  end
end
