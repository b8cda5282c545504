# frozen_string_literal: true

module Mohs
  class Study
    # Builds a study from a declaration, the plain hash that Study::File and the command line's
    # options both produce: variants found on this machine, a baseline, requests, the rules of a
    # procedure. Pure except that it looks up the installed Rubies.
    #
    # Keys of a declaration, all optional: requests: [App::Request]; variants: [[key path | nil,
    # Study::Notation]]; matrix: Study::Matrix; baseline: text; connections:, baseline_from: (the
    # name of the file that names the baseline), seed:, own_config:, own_jit:, env:, shield:,
    # cores:, hold:, warm_up_s:, cold_start:, profile:, jobs:, streams:, scenario: a ScenarioFile;
    # services: [names]; prepare: text; login: Study::Credentials; load_from: a Study::LoadFrom;
    # file: the study file as typed; those of the rules of a procedure (Procedure.keys); what the
    # sections of procedures have (their StudyFile); all: true for every Ruby and JIT that is
    # allowed. Without variants and matrix, Choice chooses the variants.
    class Builder
      SEEDS = 10_000

      # What can't be combined with a variant's own rate, besides what its procedure says (unrated):
      # actions and batches follow each other.
      UNRATED = {
        scenario: "a scenario's clients say when they send",
        jobs: "jobs are run in batches",
        streams: "streams are opened at --open-rate",
        cold_start: "cold starts are recorded in batches",
      }.freeze

      #: (app: App, ?rubies: Module, ?servers: Module) -> void
      def initialize(app:, rubies: Rubies, servers: Servers)
        @app = app
        @rubies = rubies
        @servers = servers
      end

      # requests: used if the declaration has none.
      #: (Hash[Symbol, untyped], ?requests: Array[App::Request]) -> Study
      def call(declaration, requests: @app.default_requests)
        Cores.check(declaration[:cores])
        compared = baseline(declaration, resolver(declaration))
        declaration[:hold]&.verify(compared.variants, servers: @servers)
        verify_rates(declaration, compared.variants)
        jobs = jobs(declaration, compared.variants)
        asked = jobs || declaration[:requests] || declaration[:streams]&.usual_requests || requests
        Study.new(app: @app.dir, requests: streams(declaration, compared.variants, asked),
                  variants: compared.variants, baseline: compared.name,
                  baseline_named: compared.named, baseline_reason: compared.reason,
                  omitted: omitted(declaration, compared.variants),
                  forbidden: choice.forbidden_of(compared.variants),
                  seed: declaration[:seed] || Random.rand(SEEDS), env: declaration[:env] || {},
                  own_config: declaration[:own_config] || false,
                  rules: rules(declaration, compared),
                  cold_start: cold_start(declaration, compared.variants),
                  scenario: scenario(declaration, compared.variants),
                  profile: profile(declaration, compared.variants),
                  shield: shield(declaration, compared.variants), named: named?(declaration),
                  load_from: load_from(declaration, compared.variants),
                  services: declaration.fetch(:services, []).map { |name| { name:, by: nil } },
                  connections: connections(declaration),
                  **declaration.slice(:cores, :hold, :file, :jobs, :streams, :warm_up_s,
                                      :prepare, :login))
      end

      # The study with other Rubies in place of those that mohs chose and that can't be measured
      # (Fallback).
      #: (Study) -> Study
      def instead(study)
        own_jit = study.variants.all?(&:own_jit)
        given = { own_config: study.own_config, own_jit:, env: study.env }
        Fallback.new(choice:, resolver: resolver(given), own_jit:).call(study)
      end

      private

      def rules(declaration, compared)
        Procedure.kind(declaration).declared(declaration, variants: compared.variants,
                                                          baseline: compared.name)
      end

      def verify_rates(declaration, variants)
        paced = variants.find(&:rate) or return
        other = UNRATED.keys.find { |key| declaration[key] }
        why = Procedure.kind(declaration).unrated(declaration) || UNRATED[other] or return
        raise UsageError, "#{paced.name}: leave out rate=#{paced.rate}: #{why}."
      end

      # A server that the user started keeps the priority that the user gave it.
      def shield(declaration, variants)
        return false unless declaration[:shield]

        external = variants.find(&:url) or return true
        raise UsageError, "the shield is for servers that mohs starts, and #{external.name} runs " \
                          "already. Leave out --shield, or let mohs start it."
      end

      # A server that already runs has had its first request.
      def cold_start(declaration, variants)
        return unless declaration[:cold_start]

        external = variants.find(&:url) or return declaration[:cold_start]
        raise UsageError, "cold starts are of servers that mohs starts, and #{external.name} " \
                          "runs already. Leave out cold_start, or let mohs start it."
      end

      # A scenario defines the requests, and its clients send them in no order that could be cut
      # into batches.
      def scenario(declaration, variants)
        scenario = declaration[:scenario] or return
        own = variants.find(&:get)
        raise UsageError, "#{own.name}: a scenario excludes get=#{own.get}: its requests are in " \
                          "its file." if own
        raise UsageError, "a scenario excludes cold_start: actions have no batches." if
          declaration[:cold_start]
        raise UsageError, "a scenario excludes jobs: both say what is requested." if
          declaration[:jobs]
        raise UsageError, "a scenario excludes login: each of its clients has a session of its " \
                          "own, which the scenario's login opens (mohs docs scenario)." if
          declaration[:login]

        scenario
      end

      # Only servers that mohs starts listen where the load machine can reach them.
      def load_from(declaration, variants)
        from = declaration[:load_from] or return
        other = variants.find { |variant| variant.url || variant.unix } or return from
        why = other.unix ? "listens on a unix socket" : "runs already"
        raise UsageError, "#{from.host} can't load #{other.name}, which #{why}. Leave it out, or " \
                          "--load-from."
      end

      # Only servers that mohs starts have its sampler.
      def profile(declaration, variants)
        return unless declaration[:profile]

        external = variants.find(&:url) or return true
        raise UsageError, "profiles are of servers that mohs starts, and #{external.name} runs " \
                          "already. Leave out profile, or let mohs start it."
      end

      # The requests that are batches of jobs; nil without jobs. The page that serves them is added
      # to servers that mohs starts.
      def jobs(declaration, variants)
        jobs = declaration[:jobs] or return
        raise UsageError, "a request is a batch of jobs: leave out requests, or jobs." \
          if declaration[:requests]

        other = variants.find { |variant| variant.url || variant.get } or return [jobs.request]
        why = other.get ? "asks for #{other.get}" : "runs already"
        raise UsageError, "jobs are run by servers that mohs starts, and #{other.name} #{why}. " \
                          "Leave it out, or jobs."
      end

      # These requests; with streams, the only one, as it opens a stream.
      def streams(declaration, variants, requests)
        streams = declaration[:streams] or return requests
        why = Procedure.kind(declaration).streamless(declaration)
        title = streams.title
        raise UsageError, "#{title}: #{why}." if why

        other = Streams::EXCLUDED.keys.find { |key| declaration[key] }
        raise UsageError, "#{title} exclude #{Streams::EXCLUDED[other]}." if other
        raise UsageError, "#{title} take one request: --get /path." unless requests.one?

        streams.check_connections(connections(declaration))
        check_streamed(variants, title)
        requests.map { |request| streams.request(request) }
      end

      # Memory and connections of a proxy would be taken for the server's.
      def check_streamed(variants, title)
        variants.each do |variant|
          name = { front: variant.front, unix: variant.unix }.find { |_, has| has }&.first
          raise UsageError, "#{variant.name}: #{title} exclude #{name}." if name
        end
      end

      def connections(declaration)
        declaration[:connections] || (Jobs::CONNECTIONS if declaration[:jobs]) ||
          (Streams::CONNECTIONS if declaration[:streams])
      end

      def declared?(declaration) = declaration.key?(:variants)

      def named?(declaration)
        !declaration[:all] && (declared?(declaration) || !declaration[:matrix].nil?)
      end

      def baseline(declaration, resolver)
        Baseline.new(variants(declaration, resolver), own: choice.own, resolver:,
                                                      servers: @servers)
                .call(declaration[:baseline], first: declared?(declaration),
                                              file: declaration[:baseline_from])
      end

      def resolver(declaration)
        resolver_of(declaration, own_jit: own_jit(declaration))
      end

      def resolver_of(declaration, own_jit: :none)
        Resolver.new(rubies: @rubies, ruby: choice.own.ruby, app: @app, servers: @servers, own_jit:,
                     own_config: declaration[:own_config] || false, env: declaration[:env] || {})
      end

      # If one variant names a Ruby or a JIT, the question may be what that does: those that name
      # none have no JIT, either.
      def own_jit(declaration)
        return :all if declaration[:own_jit]

        resolver = resolver_of(declaration)
        named = all_declared(declaration).any? do |at, notation|
          at(at) { resolver.jit(notation) } || (notation.ruby && !notation.own_jit?)
        end
        named ? :none : :unnamed
      end

      # With the baseline, unless that is a variant's name.
      def all_declared(declaration)
        variants = declared(declaration)
        text = declaration[:baseline]
        return variants if text.nil? || variants.any? { |_, notation| notation.label == text }

        [*variants, *parsed(text)]
      end

      # None if it is not written as a variant is: what is wrong with it is told later.
      def parsed(text)
        [[nil, Notation.parse(text, servers: @servers)]]
      rescue UsageError
        []
      end

      def choice = @choice ||= Choice.new(app: @app, rubies: @rubies.all)

      # Empty if the user says what is measured.
      def omitted(declaration, measured)
        return choice.forbidden_rubies(measured) if declaration[:all]

        named?(declaration) ? [] : choice.omitted(measured)
      end

      def variants(declaration, resolver)
        notations = declared(declaration)
        variants = notations.map { |at, notation| at(at) { resolver.call(notation) } }
        Procedure.kind(declaration).verify(variants, notations: notations.map(&:last), resolver:,
                                                     declaration:)
        twice = variants.map(&:name).tally.find { |_, count| count > 1 }
        return variants unless twice

        raise UsageError, "two variants are called #{twice.first.inspect}. Give them names: " \
                          "\"first::#{twice.first}\", \"second::#{twice.first}\"."
      end

      def declared(declaration)
        return choice.everything.map { |notation| [nil, notation] } if declaration[:all]

        matrix = declaration[:matrix]
        return chosen(declaration) unless matrix || declared?(declaration)

        crossed = matrix ? at("matrix") { matrix.notations(@rubies, servers: @servers) } : []
        declaration.fetch(:variants, []) + crossed.map { |notation| ["matrix", notation] }
      end

      def chosen(declaration)
        choice.notations(own_jit: declaration[:own_jit] || false).map { |one| [nil, one] }
      end

      # Adds the position in the file to an error.
      def at(key_path)
        yield
      rescue UsageError => error
        raise unless key_path

        raise StudyError.new(key_path, error.message)
      end
    end
  end
end
