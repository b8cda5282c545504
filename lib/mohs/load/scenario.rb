# frozen_string_literal: true

module Mohs
  module Load
    # The behaviour of a target's clients, in place of a mix of requests (docs/scenarios.md): a
    # client is a connection, with cookies and values of its own. variables: { name =>
    # Scenario::Variable }. steps: [Scenario::Request]. actions: [Scenario::Action] over these
    # steps. login: the Scenario::Action that each client does once, or nil.
    class Scenario < Struct.new(:variables, :steps, :actions, :login, keyword_init: true)
      include Value

      # Consecutive steps. steps: the range of their numbers. name: for reports, or nil. weight: the
      # frequency relative to other actions.
      Action = Struct.new(:name, :weight, :steps, keyword_init: true) do
        include Value
      end

      # One request of an action, with {names} of variables in it. method; path: as written;
      # headers: { name => text }; body: a Scenario::Template or nil; captures: [Scenario::Capture];
      # think: a range of seconds after the response; expect: [status]; text: what the body must
      # contain, or nil.
      class Request < Struct.new(:method, :path, :headers, :body, :captures, :think, :expect,
                                 :text, keyword_init: true)
        include Value

        # "POST /posts".
        #: () -> String
        def to_s = "#{method} #{path}"

        # Its secret parts, which only the server may read, as written: with {names} of variables.
        #: () -> Array[String]
        def secrets
          found = []
          keep = ->(secret) { secret.tap { found << secret } }
          headers.each { |name, text| Secrets.replace(name, text, &keep) }
          Secrets::Fields.in_query(path, &keep)
          Secrets::Fields.in_body(body.to_s, &keep) if body
          found
        end

        # The variables that must be known when it is sent.
        #: () -> Array[String]
        def names = [head(host: "").names, *body&.names].flatten.uniq

        # The core's representation, with the numbers of the variables.
        #: (Hash[String, Integer], host: String, close: bool) -> Hash[Symbol, untyped]
        def packed(numbers, host:, close:)
          think_low_ns, think_high_ns = [think.begin, think.end].map do |seconds|
            (seconds * 1_000_000_000).round
          end
          { head: head(host:, close:).packed(numbers), body: content&.packed(numbers),
            captures: captures.map { |capture| capture.packed(numbers) },
            think_low_ns:, think_high_ns: }
        end

        private

        # Cookie and Content-Length are added by the core.
        def head(host:, close: false)
          all = Wire.with_defaults(headers, host:, close:, length: nil)
          lines = all.map { |name, text| Template.parse("#{name}: #{text}\r\n", escape: :header) }
          [Template.parse("#{method} ", escape: :nothing), Template.path(path),
           Template.parse(" HTTP/1.1\r\n", escape: :nothing), *lines].reduce(:+)
        end

        def content = body || (Template.new([]) if Wire::WITH_BODY.include?(method))
      end

      # Extracts the variable `name` from a step's response: what `pattern` (Scenario::Pattern) or
      # `pointer` (the tokens of a JSON pointer) finds in the header named `header` or, without one,
      # in the body; without either, the whole header. html: entities like &amp; are decoded.
      class Capture < Struct.new(:name, :header, :pattern, :pointer, :html, keyword_init: true)
        include Value

        # Splits a JSON pointer (RFC 6901), such as "/issue/id", into its tokens. Raises UsageError.
        #: (String) -> Array[String]
        def self.pointer(text)
          return [] if text.empty?
          unless text.start_with?("/")
            raise UsageError, "#{text.inspect} is not a JSON pointer (it must start with /)"
          end
          raise UsageError, "#{text.inspect}: 0 or 1 must follow ~" if text.match?(/~(?![01])/)

          text.split("/", -1).drop(1).map { |token| token.gsub("~1", "/").gsub("~0", "~") }
        end

        #: (Hash[String, Integer]) -> Hash[Symbol, untyped]
        def packed(numbers)
          { variable: numbers.fetch(name), header: header.to_s, how:,
            pattern: pattern&.packed, tokens: (pointer || []).map(&:b), html: }
        end

        private

        def how
          return :pattern if pattern

          pointer ? :json : :whole
        end
      end

      # A value that requests contain as {name}. `kind`:
      #   :captured  extracted from a response
      #   :listed    one of `values`; variables of the same `group` (a file) take the same row
      #   :letters   `low` lower-case letters
      #   :integer   from `low` to `high`
      #   :sequence  from `low` on, no two the same
      # `steady`: a client draws it once (from a list: a row of its own), else anew for every
      # action.
      class Variable < Struct.new(:kind, :low, :high, :values, :group, :steady, keyword_init: true)
        #: (kind: Symbol, ?low: Integer, ?high: Integer, ?values: Array[String], ?group: untyped, ?steady: bool) -> void
        def initialize(kind:, low: 0, high: 0, values: [], group: nil, steady: false)
          super
          freeze
        end

        #: (Hash[untyped, Integer]) -> Hash[Symbol, untyped]
        def packed(groups)
          { kind:, steady:, group: groups.fetch(group, 0), low:, high:, values: }
        end
      end

      # For each step, the request whose number its records carry, with its expected response.
      #: () -> Array[Load::Request]
      def requests
        steps.map do |step|
          check = Check.new(statuses: step.expect, text: step.text)
          Load::Request.new(method: step.method, path: step.path, check:)
        end
      end

      # Secrets of its requests, which only the server may read: the values of variables that are
      # secret or part of a secret, and secrets as written.
      #: () -> Array[String]
      def secrets
        written = steps.flat_map(&:secrets)
        used = written.flat_map { |text| text.scan(Template::NAME).flatten }
        named = variables.keys.select { |name| Secrets.name?(name) }
        written + variables.slice(*used, *named).values.flat_map(&:values)
      end

      # For each step what reports need: its action's name, its request, whether it belongs to a
      # login.
      #: () -> Array[Hash[Symbol, untyped]]
      def outline
        steps.each_with_index.map do |step, number|
          action = [login, *actions].compact.find { |candidate| candidate.steps.cover?(number) }
          { action: action.name, request: step.to_s, login: action.equal?(login) }
        end
      end

      # The core's tables (ext/mohs/scenario_binding.c) for a server known as `host`.
      #: (host: String, ?close: bool) -> Hash[Symbol, untyped]
      def packed(host:, close: false)
        numbers = variables.keys.each_with_index.to_h
        groups = variables.values.filter_map(&:group).uniq.each_with_index.to_h
        { variables: variables.values.map { |variable| variable.packed(groups) },
          steps: steps.map { |step| step.packed(numbers, host:, close:) },
          actions: actions.map { |action| packed_action(action, numbers) },
          login: login && packed_action(login, numbers), made_s: Time.now.to_i }
      end

      private

      def packed_action(action, numbers)
        named = steps[action.steps].flat_map(&:names).uniq
        drawn = named.reject { |name| variables.fetch(name).kind == :captured }
        { first: action.steps.begin, count: action.steps.size, weight: action.weight,
          variables: drawn.map { |name| numbers.fetch(name) } }
      end
    end
  end
end
