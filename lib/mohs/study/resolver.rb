# frozen_string_literal: true

module Mohs
  class Study
    # Turns a Notation into a Variant of this machine: finds its Ruby and server, names it, and
    # determines whether it is refused. An installed Ruby that can't run the variant gives a refused
    # variant (a row with its reason); an unknown Ruby or server is a mistake, and raises UsageError
    # with the nearest spelling.
    class Resolver
      # Puma's own default is 0:5; one process keeps Rubies comparable (JRuby can't fork).
      SERVER = "puma:1x5"

      # A name for the application's own Ruby, so that a flag can be added to it.
      OWN = Correction::RUBY

      # rubies: finds a Ruby by `find(spec)`. ruby: the application's own, used if a notation names
      # OWN or none. app: passed to the servers, some of which refuse what an application needs.
      # origin: finds the parts of the application that a notation names. env: of every server.
      # own_jit: which variants that say nothing about their JIT leave it to the application: :all,
      # those that name no Ruby (:unnamed), or :none; one that asks for that does in any case.
      #: (rubies: Module, ruby: Rubies::Ruby, app: App, ?own_config: bool, ?own_jit: Symbol, ?env: Hash[String, String], ?servers: Module, ?origin: Study::Origin) -> void
      def initialize(rubies:, ruby:, app:, own_config: false, own_jit: :none, env: {},
                     servers: Servers, origin: Origin.new(app))
        @rubies = rubies
        @ruby = ruby
        @app = app
        @own_config = own_config
        @own_jit = own_jit
        @env = env
        @servers = servers
        @origin = origin
      end

      #: (Study::Notation) -> Study::Variant
      def call(notation)
        return running(notation) if notation.url

        ruby = ruby(notation.ruby || OWN)
        origin = @origin.call(notation)
        server = server(notation)
        asked_jit = jit(notation)
        own_jit = own_jit?(ruby, notation, asked_jit)
        Variant.new(name: notation.label || name(ruby, notation, own_jit), ruby: reference(ruby),
                    engine: ruby.engine, flags: notation.flags, server: server.fetch(:name),
                    env: notation.env, front: notation.front, services: notation.services.to_a,
                    connections: notation.connections, get: notation.get, close: !!notation.close,
                    rate: notation.rate, own_jit:, asked_jit:, app_jit: app_jit(ruby, notation),
                    labelled: !notation.label.nil?,
                    **Notation::OPTIONS.to_h { |name| [name.to_sym, !!notation[name]] },
                    refusal: origin[:refusal] || not_allowed(ruby, notation) ||
                             refusal(ruby, notation, server),
                    **origin.slice(:revision, :gemfile, :config),
                    **server.slice(:processes, :threads))
      end

      # What the flags and variables of a variant say about its JIT: "yjit", "off"; nil: nothing.
      # Raises UsageError if they ask for one, and a word for none.
      #: (Study::Notation) -> String?
      def jit(notation)
        return if notation.url

        ruby = ruby(notation.ruby || OWN)
        found = ruby.expects_jit(notation.flags, @env.merge(notation.env))
        interpreted(ruby, notation) if notation.without_jit?
        raise UsageError, "#{notation}: #{source(ruby, notation) { |jit| on?(jit) }} turns a JIT " \
                          "on, and the variant says #{notation.jit_words}." if
          notation.without_jit? && on?(found)
        raise UsageError, "#{notation}: #{source(ruby, notation) { |jit| off?(jit) }} turns the " \
                          "JIT off, and the variant leaves it to the application." if
          notation.own_jit? && off?(found)

        found
      end

      # A resolved variant with one spelling for all flags and variables that mean the same, and
      # leaving the JIT to the application only where that can turn one on. Two variants whose
      # canonical forms don't differ are the same.
      #: (Study::Notation, Study::Variant) -> Study::Variant
      def canonical(notation, variant)
        return variant if variant.url

        ruby = ruby(notation.ruby || OWN)
        engine = Rubies::Engines.of(ruby)
        # An application that decides about its JIT may read the JIT's variable, too.
        own_jit = variant.own_jit && variant.asked_jit.nil? &&
                  engine.class::JITS.any? { |jit| ruby.enables?(jit) }
        Variant.new(**variant.each_pair.to_h, own_jit:,
                    flags: engine.canonical(variant.flags, @env.merge(variant.env)),
                    env: own_jit ? variant.env : variant.variables)
      end

      private

      # Raises UsageError if the Ruby has a JIT of its own, which no flag turns on: its makers have
      # a flag that turns it off.
      def interpreted(ruby, notation)
        engine = Rubies::Engines.named(ruby.engine)
        return if engine::INTERPRETED.empty?

        jit = notation.without
        what = jit == "JIT" ? "'s JIT is its own: it is on without a flag" : " has no #{jit}"
        right = [ruby.name, *engine::INTERPRETED].join(" ")
        raise UsageError, "#{notation}: #{engine::TITLE}#{what}. To measure it without its own " \
                          "JIT: #{right.inspect}"
      end

      # The flag or the variable that alone says of the JIT what the block asks for: "--yjit",
      # "RUBYOPT".
      def source(ruby, notation)
        notation.flags.find { |flag| yield ruby.expects_jit([flag]) } ||
          @env.merge(notation.env).find { |pair| yield ruby.expects_jit([], [pair].to_h) }&.first
      end

      def off?(jit) = jit == Rubies::Engines::Base::NO_JIT

      def on?(jit) = !jit.nil? && !off?(jit)

      def ruby(name)
        [OWN, Notation::YOURS].include?(name) ? @ruby : @rubies.find(name)
      rescue UsageError
        raise unless @origin.commit?(name)

        raise UsageError, "no Ruby here is called #{name.inspect}, but a commit is: write " \
                          "@#{name} (mohs help variants)"
      end

      def leaves_jit?(ruby, notation)
        ruby.leaves_jit?(notation.flags, @env.merge(notation.env))
      end

      # A variant that names no Ruby is the application as it is.
      def own_jit?(ruby, notation, asked_jit)
        return false if off?(asked_jit) || notation.without_jit?
        return true if notation.own_jit? || @own_jit == :all || leaves_jit?(ruby, notation)

        @own_jit == :unnamed && notation.ruby.nil? && @app.turns_jit_on?(ruby)
      end

      # A commit may have other files.
      def app_jit(ruby, notation)
        @app.own_jit.jit if notation.revision.nil? && @app.turns_jit_on?(ruby)
      end

      # A running server can't be configured.
      def running(notation)
        url = ServerUrl.parse(notation.url).to_s
        alone = Notation.new(label: notation.label, url: notation.url)
        return Variant.new(name: notation.label || url, url:, labelled: !notation.label.nil?) if
          notation == alone

        raise UsageError, "#{notation.url} is already running, so it can't be combined with " \
                          "other settings."
      end

      # Always includes the Ruby; includes the rest only if it was written, so that names stay as
      # short as what people typed.
      def name(ruby, notation, own_jit)
        interpreter = [*interpreter(ruby, notation, own_jit), *notation.flags].join(" ")
        variables = notation.env.map { |key, value| "#{key}=#{Secrets.mask(key, value)}" }
        served = [*notation.server, *notation.options].join(" ")
        [interpreter, *(served unless served.empty?), *notation.front, *notation.revision,
         *notation.gemfile, *notation.config, *notation.services,
         *notation.load.map { |text| Secrets.mask_path(text) }, *variables].join(", ")
      end

      # The JIT is named if it was written, or if it is not the one of a Ruby that is written alone.
      def interpreter(ruby, notation, own_jit)
        return [Notation::YOURS] if notation.ruby == Notation::YOURS

        implied = own_jit && @own_jit != :all && !leaves_jit?(ruby, notation)
        [reference(ruby), notation.jit_words || (Notation::OWN_JIT if implied)].compact
      end

      # What finds it again, in a command as well: its name, or its path if by its name another Ruby
      # is found, or none.
      def reference(ruby)
        @rubies.find(ruby.name).path == ruby.path ? ruby.name : ruby.path
      rescue UsageError
        ruby.path
      end

      # A configuration file sets the number of processes and threads.
      def server(notation)
        text = notation.server || SERVER
        server = @servers.parse(text)
        return server unless notation.config
        return { name: server.fetch(:name), processes: nil, threads: nil } \
          unless notation.server.to_s.include?(":")

        raise UsageError, "#{notation.config} says how many processes and threads there are: " \
                          "write #{server.fetch(:name)} instead of #{text}."
      end

      # Bundler would report this only later. A commit or another Gemfile may have other
      # requirements.
      def not_allowed(ruby, notation)
        return if ruby.state == :broken || notation.revision || notation.gemfile

        requirement = @app.ruby_requirements.to_a.find do |one|
          one.enforced? && !one.allows?(ruby)
        end
        requirement && Reason.new(summary: "#{requirement} does not allow #{ruby.name}",
                                  code: "ruby_not_allowed", values: { by: requirement.to_s })
      end

      def refusal(ruby, notation, server)
        unfit = unfit(ruby, notation) and return unfit

        bind = @servers::Bind.new(unix: notation.unix && "socket")
        settings = @servers::Settings.new(own_config: @own_config, config: notation.config, bind:,
                                          preload: notation.preload, refork: notation.refork,
                                          **server.except(:name))
        server_refusal(@servers.fetch(server.fetch(:name)).new(settings, app: @app), ruby) ||
          front_refusal(ruby, notation)
      end

      # A variant may be called by other words than its server's name.
      def server_refusal(server, ruby)
        reason = server.refusal(ruby) or return

        Reason.new(**reason.to_h, summary: "#{server.class.label}: #{reason.summary}")
      end

      def front_refusal(ruby, notation)
        front = notation.front && Fronts.fetch(notation.front)
        front&.refusal(engine: ruby.engine, unix: !!notation.unix)
      end

      def unfit(ruby, notation)
        return ruby.reason if ruby.state == :broken

        flags = (notation.flags & Rubies::Engines.jit_flags) - ruby.flags
        return if flags.empty?

        Reason.new(summary: "#{ruby.name} does not know #{flags.join(' ')}", code: "flags_unknown",
                   values: { flags: })
      end
    end
  end
end
