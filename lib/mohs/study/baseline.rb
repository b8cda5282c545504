# frozen_string_literal: true

module Mohs
  class Study
    # Decides which variant is the baseline. A named one is used, and added in front if it isn't
    # among the variants. Otherwise the first variant written or, if mohs chose the variants, the
    # app's `own` Ruby.
    class Baseline
      # `named`: by the user; `reason`: for people to read.
      Choice = Struct.new(:variants, :name, :named, :reason, keyword_init: true)

      # The error if the user named a baseline that is refused: nothing can replace it.
      #: (Study::Variant) -> UsageError
      def self.impossible(variant)
        UsageError.new("the baseline can't run here: #{variant.name}: #{variant.refusal}")
      end

      # The members of a study whose chosen baseline's gems can't be installed.
      #: (Study::Variant, Study::Variant) -> Hash[Symbol, String]
      def self.in_place_of(chosen, other)
        { baseline: other.name, baseline_reason: "#{chosen.name} can't be installed" }
      end

      #: (Array[Study::Variant], own: Study::Choice::Own, resolver: Study::Resolver, ?servers: Module) -> void
      def initialize(variants, own:, resolver:, servers: Servers)
        @variants = variants
        @own = own
        @resolver = resolver
        @servers = servers
      end

      # first: were the variants written one by one, so that the first is meant as the baseline?
      # file: the file that names the baseline, unless the user did.
      #: (String?, first: bool, ?file: String?) -> Study::Baseline::Choice
      def call(named, first:, file: nil)
        return named(named, file ? "from #{file}" : "as asked") if named

        able = @variants.reject(&:refusal)
        raise EnvironmentError, "nothing here can run: #{refusals}" if able.empty?

        first ? choose(able.first, of_the_first) : found(able)
      end

      private

      # If the first variant is refused, the next one is used.
      def of_the_first
        first = @variants.first
        first.refusal ? "#{first.name} is refused" : "the first variant"
      end

      def found(able)
        plain = able.select { |variant| variant.flags.empty? }
        own = plain.find { |variant| variant.ruby == @own.ruby.name }
        own ? choose(own, @own.reason) : choose(able.first, "the first found")
      end

      def choose(variant, reason, variants: @variants, named: false)
        Choice.new(variants:, name: variant.name, named:, reason:)
      end

      def refusals = @variants.map(&:refusal_text).join("; ")

      def named(text, reason)
        variant = @variants.find { |candidate| candidate.name == text } || parsed(text)
        raise Baseline.impossible(variant) if variant.refusal

        choose(variant, reason, variants: @variants | [variant], named: true)
      end

      # One of the variants in another notation, or a new variant.
      def parsed(text)
        variant = @resolver.call(Notation.parse(text, servers: @servers))
        @variants.find { |other| other.same_as?(variant) } || variant
      end
    end
  end
end
