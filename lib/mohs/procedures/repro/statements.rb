# frozen_string_literal: true

module Mohs
  module Repro
    # Reads the statement of one claim. Faults are StudyErrors whose key path begins at the claim.
    class Statements
      KINDS = %w[ratio order equal bound share warm excluded compiled survives crashes
                 not_testable].freeze
      # Kinds about batches from a cold start, without a metric of two variants.
      COLD = %w[warm excluded compiled].freeze
      # Share of boots that may crash, unless the statement gives another.
      AT_MOST = 0.05
      # Keys of the other variants that a statement may relate its own variants to.
      BESIDE = %w[over since].freeze
      # Keys that make a statement one about shares of a profile: of one category in its levels, or
      # of categories in one level.
      SHARES = %w[category in].freeze
      VARIANT = "variant of study.yml"
      PER_CENT = "%"
      SHARE = /\A(?<number>\d+(?:\.\d+)?)\s*(?<percent>%?)\z/

      # levels: those of study.yml. figures: { id => Figure }.
      #: (Array[String], Hash[String, Repro::Figure]) -> void
      def initialize(levels, figures)
        @levels = levels
        @figures = figures
      end

      # entry: a claim as parsed from YAML.
      #: (Hash[String, untyped]) -> Repro::Statement
      def call(entry)
        @kind = nil
        @kind = kind(entry.keys & KINDS)
        @entry = entry.fetch(@kind)
        case @kind
        when "not_testable" then Statement.new(kind: @kind, to: [], reason: @entry.to_s)
        when "survives" then Statement.new(kind: @kind, **survives)
        when "crashes" then Statement.new(kind: @kind, to: named(nil, @entry))
        when *COLD then Statement.new(kind: @kind, **send(@kind))
        else compared(send(@kind))
        end
      end

      private

      def kind(kinds)
        fault(nil, "should have one of #{KINDS.join(', ')}") if kinds.empty?
        return kinds.first if kinds.one?

        names = Wording.all(kinds)
        fault(nil, "has #{'both ' if kinds.size == 2}#{names}: a claim can have only one")
      end

      def compared(sides)
        return Statement.new(kind: @kind, **of_shares(sides)) if SHARES.any? { |key| given?(key) }

        beside = BESIDE.to_h { |key| [key.to_sym, beside(key, 1 + sides[:to].size)] }
        Statement.new(kind: @kind, metric: metric.name, **beside, **sides)
      end

      # About the published ratio, or between the two that the source gives.
      def ratio
        two = two_ratios
        published = (published() unless two)
        fault("published", "is missing: give it, or two figures") unless two || published
        low, high = two || around(published)
        direction = :more if low > 1
        direction = :less if high < 1
        { **pair, published:, low:, high:, direction: }
      end

      # nil unless `published` is a list.
      def two_ratios
        given = @entry["published"]
        return unless given.is_a?(Array)

        fault("published", "should be a ratio above 0, or the lowest and the highest one") \
          unless given.size == 2 && given.all? { |one| one.is_a?(Numeric) && one.positive? } &&
                 given.first < given.last
        fault("tolerance", "has no meaning with two ratios, which are the range") \
          if given?("tolerance")
        given.map(&:to_f)
      end

      def order
        sides = %w[more less] & @entry.keys
        fault(nil, "should have either more or less") unless sides.one?

        range = sides.first == "more" ? { low: 1.0 } : { high: 1.0 }
        { of: level(sides.first), to: levels("than"), published: published(), **range }
      end

      # One level as much as another, or as each of several.
      def equal
        margin = fraction("margin")
        { of: level("of"), to: levels("to"), published: published(),
          **%i[low high].zip(Stats::Margin.ratios(margin)).to_h }
      end

      # Below a ratio, above one, or between two.
      def bound
        sides = { low: "above", high: "below" }.select { |_, key| given?(key) }
        fault(nil, "should have below, above or both") if sides.empty?

        range = sides.transform_values { |key| number(key) }
        { **pair, published: published(), **range }
      end

      # A category's share of the CPU time: about as published, or between two numbers.
      def share
        missing("category") unless given?("category")

        published = published()
        missing("published") if given?("tolerance") && published.nil?
        low, high = given?("tolerance") ? around(published) : ends
        { of: level("of"), to: [], published:, low:, high: }
      end

      # The range that counts as about as published.
      def around(published)
        tolerance = fraction("tolerance")
        [published / (1 + tolerance), published * (1 + tolerance)]
      end

      def ends
        found = %w[above below].map { |key| part(key, @entry[key]) if given?(key) }
        found.any? ? found : fault(nil, "should have a tolerance, or above, below or both")
      end

      # Each side is a level with a category.
      def of_shares(sides)
        odd = ["metric", *BESIDE].find { |key| given?(key) }
        fault(odd, "has no meaning with shares of a profile") if odd
        fault(nil, "should have either category or in") if SHARES.all? { |key| given?(key) }

        names = [sides[:of], *sides[:to]]
        metric = ProfileShares::METRIC.name
        return { **sides, metric:, categories: names.map { category } } if given?("category")

        of, *to = names.map { place }
        { **sides, of:, to:, metric:, categories: names }
      end

      def category = one_of(Profile::Category::NAMES, "category", "category", @entry["category"])

      def place = one_of(@levels, VARIANT, "in", @entry["in"])

      # The number of batches after which each level is warm.
      def warm
        within = @entry["within"] or missing("within")
        fault("within", "should be at least 0") if within.negative?

        { to: levels("levels"), high: within }
      end

      # A list of variants, or a map with the chance of a crash that still counts as survival.
      def survives
        return { to: named(nil, @entry), high: AT_MOST } unless @entry.is_a?(Hash)

        at_most = share_of("at_most", @entry["at_most"], most: 0.99, like: "5 % or 0.05") \
          if given?("at_most")
        { to: levels("levels"), high: at_most || AT_MOST }
      end

      def excluded = { of: level("level"), to: [] }

      # The number of versions in which a level's JIT compiles a method (any method if none is
      # named).
      def compiled
        sides = %w[times at_least] & @entry.keys
        fault(nil, "should have either times or at_least") unless sides.one?

        low = @entry[sides.first]
        fault(sides.first, "should be at least 1") unless low.positive?
        { of: level("level"), to: [], low:, high: (low if sides.first == "times"),
          routine: @entry["method"]&.to_s }
      end

      def pair = { of: level("of"), to: [level("to")] }

      # One level for each of `count` levels; nil without the key.
      def beside(key, count)
        return unless @entry.key?(key)

        fault(nil, "should have either over or since") if BESIDE.all? { |one| @entry.key?(one) }
        names = levels(key)
        return names if names.size == count

        fault(key, "should be a variant for each of the others, that of the first one first")
      end

      def metric
        return overhead if @entry.key?("over")

        Metrics.fetch(@entry.fetch("metric", "throughput").to_s)
      rescue UsageError => error
        fault("metric", error.message)
      end

      def overhead
        return Metrics::OVERHEAD unless @entry.key?("metric")

        fault("metric", "has no meaning with over, which is about the time of a request")
      end

      # The ratio of two figures, or the one stated; nil if neither is given.
      def published
        return published_share if @kind == "share"

        stated = number("published") if @entry.key?("published")
        of, to = two_figures
        return stated unless of

        names = @entry["figures"].join(" and ")
        contradicted(@entry["published"], "figures #{names} give", format("%.4g", of / to)) \
          unless stated.nil? || Rounded.ratio?(stated, of:, to:)
        stated || (of / to)
      end

      # The values of the two figures; nil without figures.
      def two_figures
        ids = @entry["figures"] or return
        fault("figures", "should be two ids: of the first variant, and of the other") \
          unless ids.is_a?(Array) && ids.size == 2

        ids.map { |id| figure(id.to_s).value }
      end

      # A figure in per cent, or the one stated; nil if neither is given.
      def published_share
        stated = part("published", @entry["published"]) if given?("published")
        id = @entry["figures"] or return stated
        figure = figure(id.to_s)
        fault("figures", "should be the id of a share in %") unless figure.unit == PER_CENT
        contradicted(@entry["published"], "figure #{id} gives", "#{figure.value} %") \
          unless stated.nil? || Rounded.same?(per_cent(@entry["published"]), figure.value)
        stated || part("figures", "#{figure.value} %")
      end

      # A share as written, in per cent with its decimals: 0.06 is 6 %.
      def per_cent(given)
        match = SHARE.match(given.to_s)
        number = match[:number].to_r
        (match[:percent].empty? ? number * 100 : number).to_f
      end

      def contradicted(stated, figures, value)
        fault("published", "is #{stated}, but the #{figures} #{value}: correct one of them, or " \
                           "leave out published")
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

      # names: one name, or several.
      def named(key, names) = [*names].map { |name| known(key, name.to_s) }

      def level(key)
        name = @entry[key] or missing(key)
        known(key, name.to_s)
      end

      # With `in`, the sides are categories of that level.
      def known(key, name)
        return one_of(Profile::Category::NAMES, "category", key, name) if given?("in")

        one_of(@levels, VARIANT, key, name)
      end

      def one_of(names, what, key, name)
        return name.to_s if names.include?(name.to_s)

        fault(key, unknown(what, name.to_s, names))
      end

      def given?(key) = @entry.is_a?(Hash) && @entry.key?(key)

      def unknown(what, name, known)
        "#{name.inspect} is not a #{what}. #{Suggest.hint(name, known)}"
      end

      def number(key)
        value = @entry[key]
        return value.to_f if value.is_a?(Numeric) && value.positive?

        fault(key, "should be a ratio above 0, not #{value.inspect}")
      end

      # A share of a whole: "5.9 %", or 0.059.
      def part(key, given) = share_of(key, given, most: 1, like: "6 % or 0.06")

      # "10 %", or 0.1; more than the whole is a slip: 110 % in place of 10 %, 10 in place of 10 %.
      def fraction(key)
        share_of(key, @entry.fetch(key) { missing(key) }, most: 1, like: "10 % or 0.1")
      end

      def share_of(key, given, most:, like:)
        match = SHARE.match(given.to_s)
        share = match && (match[:number].to_f / (match[:percent].empty? ? 1 : 100))
        return share if share&.between?(1e-6, most)

        limit = " of at most #{(most * 100).round} %," if share && share > most
        fault(key, "should be a share, #{like},#{limit} not #{given.inspect}")
      end

      def missing(key) = fault(key, "is missing")

      def fault(key, message) = raise(StudyError.new([*@kind, *key].join("/"), message))
    end
  end
end
