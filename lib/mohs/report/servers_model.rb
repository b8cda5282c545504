# frozen_string_literal: true

module Mohs
  module Report
    # Turns servers' claims and the results of verifications into the document of docs/json.md,
    # command `servers`. Pure.
    module ServersModel
      VERIFIED, REFUSED, UNTRIED = %w[verified refused untried].freeze

      module_function

      # rubies: this machine's Rubies that start. results: returns the result for a server and a
      # Ruby, nil if they were never tried. refusal: returns why mohs wouldn't try them, or nil
      # (Verification.refusal).
      #: (Array[singleton(Servers::Base)], Array[Rubies::Ruby], results: ^(singleton(Servers::Base), Rubies::Ruby) -> Verification::Result?, refusal: ^(singleton(Servers::Base), Rubies::Ruby) -> Reason?) -> Hash[Symbol, untyped]
      def document(servers, rubies, results:, refusal:)
        { servers: servers.map do |server|
          cells = rubies.map do |ruby|
            cell(server, ruby, results.call(server, ruby), refusal.call(server, ruby))
          end
          of_server(server, cells)
        end }
      end

      def of_server(server, cells)
        capabilities = server.capabilities
        states = cells.map { |cell| cell[:state] }
        state = [VERIFIED, UNTRIED, REFUSED].find { |one| states.include?(one) } || UNTRIED
        reason = cells.first[:reason] if state == REFUSED
        newest = cells.filter_map { |cell| cell[:version] }
                      .max_by { |text| Analysis::GemVersions.comparable(text) }
        { name: server.label, version: newest,
          engine: capabilities.fetch(:engines), state:, reason:, capabilities:, rubies: cells }
      end

      def cell(server, ruby, result, refusal)
        claims = Verification::Claims.of(server, ruby.engine)
        state = refusal ? REFUSED : result&.state || UNTRIED
        result = nil if refusal
        traits = result&.verified? ? result.traits : {}
        { ruby: ruby.name, engine: ruby.engine, state:, **reason(refusal || result&.reason),
          log_tail: result&.log_tail, version: result&.version, tried_ms: result&.at_ms,
          seconds: result&.seconds,
          capabilities: traits(Verification::Claims::CAPABILITIES, claims, traits),
          conduct: traits(Verification::Claims::CONDUCT, claims, traits) }
      end

      # A reason's text, its first part alone, and what programs compare.
      def reason(reason)
        worded = reason && Render.reason(reason)
        { reason: worded&.to_s, summary: worded&.summary, code: reason&.code,
          values: reason&.values }
      end

      def traits(names, claims, seen)
        names.to_h do |name|
          trait = seen[name] || Verification::Result::Trait.new
          [name, { claimed: claims.fetch(name), **trait.to_h, **reason(trait.reason) }]
        end
      end
      private_class_method :of_server, :cell, :reason, :traits
    end
  end
end
