# frozen_string_literal: true

module Mohs
  module Gate
    # The document of `mohs gate`, from its result. Pure.
    class Document
      # Facts of a page's metrics, chosen from those in a comparison's document.
      METRIC = %i[name key title better a b effect interval mark missing].freeze
      NOWHERE = { fingerprint: {}, noise: {}, load_from: nil, against: [] }.freeze

      # name: the comment's name. base: Gate::BaseRevision::Found. head: { name:, commit: }; nil
      # for the folder as it is. study: of one of the pages; nil if the gating ended before the
      # first.
      #: (Gate::Gating::Result, name: String, base: Gate::BaseRevision::Found, invocation: Invocation, ?head: Hash[Symbol, String?]?, ?study: Study?) -> Hash[Symbol, untyped]
      def self.document(result, name:, base:, invocation:, head: nil, study: nil)
        new(result, name, { base: base.to_h, head: }, invocation, study).document
      end

      # What a gating that has measured nothing yet would compare.
      #: (Gating, base: Gate::BaseRevision::Found, ?head: Hash[Symbol, String?]?) -> Hash[Symbol, untyped]
      def self.plan(gating, base:, head: nil)
        pages = gating.pages.map do |page|
          { name: page.name, request: page.request.to_s, limits: page.limits.map(&:to_s) }
        end
        { dry_run: true, base: base.to_h, head:, pages:, budget_s: gating.budget_s,
          false_alarms: { **gating.alarms.to_h, chance: gating.alarms.chance } }
      end

      # The limit of one of the document's gates, without the side: "+2 %".
      #: (Hash[Symbol, untyped]) -> String
      def self.bound(gate) = Report::Numbers.exact_signed(gate[:bound])

      # What the limit of one of the document's gates allows: [low, high] of the ratio, of which one
      # is nil.
      #: (Hash[Symbol, untyped]) -> [Float?, Float?]
      def self.allowed(gate) = gate[:side] == "<" ? [nil, gate[:bound]] : [gate[:bound], nil]

      # A revision in the document as people call it: "main", "1a2b3c4".
      #: (Hash[Symbol, untyped]) -> String
      def self.revision(one) = one[:name] || one[:commit][0, 7]

      # Both revisions, as in "this folder as it is, against main 1a2b3c4 (as asked)".
      #: (Hash[Symbol, untyped]) -> String
      def self.compared(document)
        base, head = document.values_at(:base, :head)
        older = "#{"#{base[:name]} " if base[:name]}#{base[:commit][0, 7]} (#{base[:reason]})"
        "#{head ? revision(head) : 'this folder as it is'}, against #{older}"
      end

      # The pages of the document's gates that have no figures, with their reasons and remedies,
      # each once.
      #: (Hash[Symbol, untyped]) -> Array[[String, String, String?]]
      def self.silent(document)
        gates = document[:gates].reject { |gate| gate[:interval] }
        gates.map { |gate| gate.values_at(:name, :reason, :remedy) }.uniq
      end

      # The gate that the answer is about. If the outcome is "fails": the first failed gate without
      # a figure, else the one that changed most. If "inconclusive": the first gate of a page that
      # neither revision serves, else the first that more time would decide, else the first. nil if
      # all hold.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]?
      def self.deciding(document)
        same = document[:gates].select { |gate| gate[:outcome] == document[:outcome] }
        case document[:outcome]
        when "fails"
          same.find { |gate| gate[:effect].nil? } ||
            same.max_by { |gate| Math.log(gate[:effect]).abs }
        when "inconclusive"
          unserved = document[:pages].select { |page| page[:unserved] }.map { |page| page[:name] }
          same.find { |gate| unserved.include?(gate[:name]) } ||
            same.find { |gate| gate[:needed_s] } || same.first
        end
      end

      OUTCOMES = { "holds" => :ok, "fails" => :regression, "inconclusive" => :inconclusive }.freeze

      # As of any document (Report::Model.outcome). If neither revision serves a page, the set-up is
      # at fault, not the change: a CI service that lets inconclusive gates pass would let this pass
      # for ever.
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document)
        open = document[:outcome] == "inconclusive"
        return :failed if open && document[:pages].any? { |page| page[:unserved] }

        OUTCOMES.fetch(document[:outcome])
      end

      #: (Gate::Gating::Result, String, Hash[Symbol, untyped], Invocation, Study?) -> void
      def initialize(result, name, revisions, invocation, study)
        @result = result
        @name = name
        @revisions = revisions
        @invocation = invocation
        @study = study
        @compared = result.pages.to_h { |page| [page, page.run && Report::Model.build(page.run)] }
      end

      #: () -> Hash[Symbol, untyped]
      def document
        document = Report::Document.envelope(
          "gate", seconds: @result.seconds, host:, provenance:, state: @result.state,
                  name: @name, **@revisions, **subject, outcome: @result.outcome,
                  gates: @result.pages.flat_map { |page| gates(page) },
                  pages: @result.pages.map { |page| page(page) },
                  false_alarms: { **@result.alarms.to_h, chance: @result.alarms.chance },
                  budget_s: @result.budget_s
        )
        document.merge(sentence: Headline.new(document).to_s, again:)
      end

      private

      # What options are about that another machine doesn't need.
      REPLACED = %w[revisions output].freeze
      private_constant :REPLACED

      # The command that compares the same revisions on another machine.
      def again
        base, head = @revisions.values_at(:base, :head).map { |one| one && one[:commit][0, 12] }
        Report::Document.again(@invocation.to_h, without: REPLACED, base:, head:)
      end

      def last = @compared.values.compact.last

      def host = last ? last[:host] : NOWHERE

      def provenance
        { seed:, argv: @invocation.argv,
          invocation: @invocation.to_h, versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION } }
      end

      # Each page has an order of its own: no seed repeats several of them.
      def seed = (last[:provenance][:seed] if @compared.values.compact.one?)

      def subject
        { app: @study&.app && File.basename(@study.app),
          requested: @result.pages.map { |page| page.page.request.to_s }.uniq,
          connections: @study&.shared_connections }
      end

      def gates(measured)
        measured.gates.results.map do |result|
          metric, interval = result.gate.metric, result.interval
          { name: measured.page.name, request: measured.page.request.to_s, metric: metric.name,
            title: metric.title, **limit(result.gate), outcome: result.outcome,
            effect: interval&.value, interval: ends(interval), reason: Report::Render.call(result.finding),
            remedy: Report::Render.cure(result.finding),
            **result.finding.to_h.slice(:code), needed_s: result.needed_s, run: key(measured) }
        end
      end

      # `limit` as people write it: "< +2 %".
      def limit(gate)
        side, bound = gate.side, gate.bound.round(Report::Numbers::TYPED + 2)
        { limit: "#{side} #{Report::Numbers.exact_signed(bound)}", side:, bound: }
      end

      # nil if an end is infinite, as it may be while next to nothing is known.
      def ends(interval)
        ends = interval && [interval.low, interval.high]
        ends if ends&.all?(&:finite?)
      end

      def key(measured) = measured.run&.stored&.key

      def page(measured)
        compared = @compared.fetch(measured)
        unserved = unserved?(compared)
        { name: measured.page.name, request: measured.page.request.to_s, run: key(measured),
          outcome: measured.gates.outcome, seconds: measured.seconds,
          cohorts: compared ? compared[:cohorts][:done] : 0,
          sentence: compared && compared[:sentence], unserved:,
          unserved_reason: (compared[:rows].first[:summary] if unserved),
          metrics: compared ? compared[:metrics].map { |metric| metric.slice(*METRIC) } : [],
          notes: compared ? notes(compared) : [] }
      end

      # States of a variant that was tried but did not serve the page.
      UNSERVED = %w[refused failed].freeze
      private_constant :UNSERVED

      # Does neither revision serve the page? Not if one of them may: the newer one is not tried
      # after the older one has failed to be installed.
      def unserved?(compared)
        rows = compared ? compared[:rows] : []
        rows.size > 1 && rows.all? { |row| UNSERVED.include?(row[:state]) }
      end

      # What speaks against the figures. Left out are the reason for a missing verdict, which the
      # gates state, and what would decide which revision is faster.
      def notes(compared)
        Compare::Headline.unstated(compared[:verdict]).map { |one| one[:text] }
      end
    end
  end
end
