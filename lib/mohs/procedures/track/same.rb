# frozen_string_literal: true

require "digest"
require "json"

module Mohs
  module Track
    # Is a point measured like the one before it in its history: against the same reference, under
    # the same load? Otherwise their difference would look like a change of the application.
    class Same
      # Facts of a point that people read, with their names.
      SHOWN = { reference_id: "reference", requested: "requests",
                connections: "connections" }.freeze

      # What a server receives of a request. What is expected of its responses is no load.
      SENT = %i[method path headers body weight].freeze

      class << self
        # Facts by which points are compared, of a study with a history (members of
        # Track::Point).
        #: (Study) -> Hash[Symbol, untyped]
        def facts(study)
          { reference_id: study.rules.question.history.reference_id,
            requested: Report::Subject.requested(study), connections: study.load_connections,
            load_id: load_id(study) }
        end

        private

        # A digest of the load. Secrets are masked: a token that is replaced is no other load, and
        # the digest of a short one would reveal it. Only keys that are set count, so that a new
        # one changes no stored history.
        def load_id(study)
          masked = study.map_values do |name, value, kind|
            plain = value.gsub(Secrets::Vault::REFERENCE, Secrets::MASK)
            Secrets.replace_in(kind, name, plain) { Secrets::MASK }
          end
          Digest::SHA256.hexdigest(JSON.generate(load(masked)))
        end

        def load(study)
          variants = study.variants.map do |one|
            requests = study.requests_of(one).map { |request| sent(request) } unless study.scenario
            { connections: study.connections_of(one), rate: one.rate, close: one.close || nil,
              requests: }.compact
          end
          { variants:, scenario: study.scenario&.digest, login: study.login&.user }.compact
        end

        def sent(request) = request.to_h.slice(*SENT).compact
      end

      # study: of the next point. before: the point before it.
      #: (Study, Track::Point) -> void
      def initialize(study, before)
        @study = study
        @before = before
        @now = self.class.facts(study)
      end

      # Raises UsageError if they can't be compared.
      #: () -> void
      def verify
        return if same?

        raise UsageError, "this point can't be compared with the others of #{name}: " \
                          "#{difference}. Use the same, or start another history."
      end

      private

      def name = @study.rules.question.history.name

      def same? = %i[reference_id load_id].all? { |key| @before[key] == @now[key] }

      def difference
        key = SHOWN.keys.find { |one| @before[one] != @now[one] } or return unseen
        so_far, now = [@before, @now].map { |one| Array(one[key]).join(", ") }
        "#{SHOWN.fetch(key)} #{so_far} so far, #{now} now"
      end

      # What is not shown of a load.
      def unseen
        return "#{@study.scenario.name} has changed" if @study.scenario

        "requests #{@now[:requested].join(', ')} so far and now, but with other headers, " \
          "bodies, weights or --login"
      end
    end
  end
end
