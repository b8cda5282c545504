# frozen_string_literal: true

module Mohs
  class Study
    # Makes a study from a declaration, the plain hash that StudyFile and the command line's options
    # both give: variants found on this machine, a baseline, requests. Pure except that it looks up
    # the installed Rubies.
    #
    # Keys of a declaration, all optional: requests: [App::Request]; variants: [[key path | nil,
    # Study::Notation]]; matrix: Study::Matrix; baseline: text; connections:, rounds:, budget_s:,
    # seed:, own_config:, env:, shield:, cores:.
    class Builder
      SEEDS = 10_000
      # The finder whose Rubies a person gets by typing `ruby`.
      ON_PATH = "path"

      #: (app: App, ?rubies: Module, ?servers: Module) -> void
      def initialize(app:, rubies: Rubies, servers: Servers)
        @app = app
        @rubies = rubies
        @servers = servers
      end

      # `requests` are used if the declaration has none.
      #: (Hash[Symbol, untyped], ?requests: Array[App::Request]) -> Study
      def call(declaration, requests: @app.default_requests)
        Cores.check(declaration[:cores])
        choice = baseline(declaration, resolver(declaration))
        Study.new(app: @app.dir, requests: declaration[:requests] || requests,
                  variants: choice.variants, baseline: choice.name, baseline_reason: choice.reason,
                  seed: declaration[:seed] || Random.rand(SEEDS), env: declaration[:env] || {},
                  own_config: declaration[:own_config] || false,
                  comparison: comparison(declaration, choice),
                  shield: shield(declaration, choice.variants),
                  **%i[connections rounds budget_s cores].to_h { |key| [key, declaration[key]] })
      end

      private

      # The first variant, A, compared with the second, B.
      def comparison(declaration, choice)
        asked = declaration[:comparison] or return
        candidate = choice.variants.find { |variant| variant.name != choice.name }
        ComparisonRules.new(candidate: candidate.name, **asked)
      end

      # A server that the person started keeps the priority that the person gave it.
      def shield(declaration, variants)
        return false unless declaration[:shield]

        external = variants.find(&:url) or return true
        raise UsageError, "the shield is for servers that mohs starts, and #{external.name} runs " \
                          "already. Leave out --shield, or let mohs start it."
      end

      def declared?(declaration) = declaration.key?(:variants)

      def baseline(declaration, resolver)
        Baseline.new(variants(declaration, resolver), app: @app, default: default_ruby.name,
                                                      resolver:, servers: @servers)
                .call(declaration[:baseline], first: declared?(declaration))
      end

      def resolver(declaration)
        Resolver.new(rubies: @rubies, ruby: default_ruby, app: @app, servers: @servers,
                     own_config: declaration[:own_config] || false)
      end

      # The Ruby of a variant that names none: the app's own if it is installed, else the first that
      # works.
      def default_ruby
        working = @rubies.all.reject { |ruby| ruby.state == :broken }
        raise EnvironmentError, "no Ruby here starts. To see why: mohs rubies" if working.empty?

        own = working.find { |ruby| ruby.name == @app.ruby }
        own || working.find { |ruby| ruby.source == ON_PATH } || working.first
      end

      def variants(declaration, resolver)
        variants = declared(declaration).map { |at, notation| at(at) { resolver.call(notation) } }
        twice = variants.map(&:name).tally.find { |_, count| count > 1 }
        return variants unless twice

        raise UsageError, "two variants are called #{twice.first.inspect}. Give them names: " \
                          "\"first::#{twice.first}\", \"second::#{twice.first}\"."
      end

      def declared(declaration)
        matrix = declaration[:matrix] || (Matrix.everything unless declared?(declaration))
        crossed = matrix ? at("matrix", declaration[:matrix]) { matrix.notations(@rubies) } : []
        place = "matrix" if declaration[:matrix]
        declaration.fetch(:variants, []) + crossed.map { |notation| [place, notation] }
      end

      # Adds the place in the file to an error.
      def at(key_path, located = key_path)
        yield
      rescue UsageError => error
        raise unless located

        raise StudyError.new(key_path, error.message)
      end
    end
  end
end
