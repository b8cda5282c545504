# frozen_string_literal: true

module Mohs
  module Repro
    # Reads the statement of one claim. Faults are StudyErrors whose key path begins at the claim.
    class Statements
      KINDS = %w[ratio order equal bound warm excluded survives crashes not_testable].freeze
      # Of batches from a cold start, without a metric of two variants.
      COLD = %w[warm excluded].freeze
      # Other variants that a statement may relate its own to.
      BESIDE = %w[over since].freeze
      # Analysis::Metric::TAIL is a metric of claims as well.
      TAIL = Analysis::Metric::TAIL
      SHARE = /\A(?<number>\d+(?:\.\d+)?)\s*(?<percent>%?)\z/

      # levels: those of study.yml. figures: { id => Figure }.
      #: (Array[String], Hash[String, Repro::Figure]) -> void
      def initialize(levels, figures)
        @levels = levels
        @figures = figures
      end

      # Of a claim as YAML has it.
      #: (Hash[String, untyped]) -> Repro::Statement
      def call(entry)
        kinds = entry.keys & KINDS
        fault(nil, "should have one of #{KINDS.join(', ')}") unless kinds.one?

        @kind = kinds.first
        @entry = entry.fetch(@kind)
        case @kind
        when "not_testable" then Statement.new(kind: @kind, to: [], reason: @entry.to_s)
        when *Statement::SURVIVAL then Statement.new(kind: @kind, to: named(nil, @entry))
        when *COLD then Statement.new(kind: @kind, **send(@kind))
        else compared(send(@kind))
        end
      end

      private

      def compared(sides)
        beside = BESIDE.to_h { |key| [key.to_sym, beside(key, 1 + sides[:to].size)] }
        Statement.new(kind: @kind, metric: metric.name, **beside, **sides)
      end

      def ratio
        published = published() or fault("published", "is missing: give it, or two figures")
        tolerance = share("tolerance")
        low, high = published / (1 + tolerance), published * (1 + tolerance)
        direction = :more if low > 1
        direction = :less if high < 1
        { **pair, published:, low:, high:, direction: }
      end

      def order
        sides = %w[more less] & @entry.keys
        fault(nil, "should have either more or less") unless sides.one?

        range = sides.first == "more" ? { low: 1.0 } : { high: 1.0 }
        { of: level(sides.first), to: levels("than"), published: published(), **range }
      end

      def equal
        margin = share("margin")
        { **pair, published: published(), low: 1 / (1 + margin), high: 1 + margin }
      end

      def bound
        sides = %w[below above] & @entry.keys
        fault(nil, "should have either below or above") unless sides.one?

        range = { sides.first == "below" ? :high : :low => number(sides.first) }
        { **pair, published: published(), **range }
      end

      # Batches after which each level is warm.
      def warm
        within = @entry["within"] or missing("within")
        fault("within", "should be at least 0") if within.negative?

        { to: levels("levels"), high: within }
      end

      def excluded = { of: level("level"), to: [] }

      def pair = { of: level("of"), to: [level("to")] }

      # One for each of so many levels; nil without.
      def beside(key, count)
        return unless @entry.key?(key)

        fault(nil, "should have either over or since") if BESIDE.all? { |one| @entry.key?(one) }
        names = levels(key)
        return names if names.size == count

        fault(key, "should be a variant for each of the others, that of the first one first")
      end

      def metric
        return overhead if @entry.key?("over")

        name = @entry.fetch("metric", "throughput").to_s
        name == TAIL.name ? TAIL : Analysis::Metric.fetch(name)
      rescue UsageError => error
        fault("metric", error.message)
      end

      def overhead
        return Analysis::Metric::OVERHEAD unless @entry.key?("metric")

        fault("metric", "has no meaning with over, which is about the time of a request")
      end

      # Of two figures, or as stated; nil without either.
      def published
        return number("published") if @entry.key?("published")

        ids = @entry["figures"] or return
        fault("figures", "should be two ids: of the first variant, and of the other") \
          unless ids.is_a?(Array) && ids.size == 2

        of, to = ids.map { |id| figure(id.to_s).value }
        of / to
      end

      def figure(id)
        figure = @figures[id] or fault("figures", unknown("figure", id, @figures.keys))
        fault("figures", "#{id} is not above 0: a ratio needs that") unless figure.value.positive?

        figure
      end

      def levels(key)
        missing(key) if [*@entry[key]].empty?

        named(key, @entry[key])
      end

      # One name, or several.
      def named(key, names) = [*names].map { |name| known(key, name.to_s) }

      def level(key)
        name = @entry[key] or missing(key)
        known(key, name.to_s)
      end

      def known(key, name)
        return name if @levels.include?(name)

        fault(key, unknown("variant of study.yml", name, @levels))
      end

      def unknown(what, name, known)
        "#{name.inspect} is not a #{what}. #{Suggest.hint(name, known)}"
      end

      def number(key)
        value = @entry[key]
        return value.to_f if value.is_a?(Numeric) && value.positive?

        fault(key, "should be a ratio above 0, not #{value.inspect}")
      end

      # "10 %", or 0.1.
      def share(key)
        text = @entry.fetch(key) { missing(key) }.to_s
        match = SHARE.match(text)
        share = match && (match[:number].to_f / (match[:percent].empty? ? 1 : 100))
        return share if share&.between?(1e-6, 10)

        fault(key, "should be a share, 10 % or 0.1, not #{text.inspect}")
      end

      def missing(key) = fault(key, "is missing")

      def fault(key, message) = raise(StudyError.new([*@kind, *key].join("/"), message))
    end
  end
end
