# frozen_string_literal: true

module Mohs
  module Compare
    # Two variants to compare that may be the same in different words: `3.4.5 --jit` and
    # `3.4.5 --yjit`, `yours` and `own-jit`, two names of one commit.
    class Same
      WITHOUT_FLAG = "a Ruby without a JIT flag has no JIT. To measure it as the application " \
                     "runs it, write `yours`."

      # The notations, and the variants that the resolver made of them.
      #: ([Study::Notation, Study::Notation], [Study::Variant, Study::Variant], Study::Resolver) -> void
      def initialize(notations, variants, resolver)
        @notations = notations
        @variants = variants
        @resolver = resolver
      end

      # Raises UsageError if the variants are the same. The same notation twice is meant: that shows
      # how alike two equal ones look. unless_named: are different names enough?
      #: (?unless_named: bool) -> void
      def verify(unless_named: false)
        differ_in_commits
        names = @variants.map(&:name)
        return if @variants.any?(&:refusal) || (unless_named && names.uniq.size > 1)
        return if !canonical.first.difference(canonical.last).empty? || plain.uniq.one?

        typed = names.uniq.one? ? @notations.map(&:to_s) : names
        raise UsageError, "#{typed.join(' and ')} are the same: #{how}"
      end

      private

      # Most often a branch has no commits of its own yet.
      def differ_in_commits
        a, b = @variants
        names = [a, b].map { |variant| variant.revision&.fetch(:typed) }
        return if names.include?(nil) || names.uniq.one? || !a.difference(b).empty?

        raise UsageError, "#{names.join(' and ')} are the same commit, #{a.commit[0, 12]}: there " \
                          "is no difference to measure. #{beside_itself(names.last)}"
      end

      # What the variants are, however they are written.
      def canonical
        @canonical ||= @notations.zip(@variants).map { |pair| @resolver.canonical(*pair) }
      end

      # The notations without their names.
      def plain = @notations.map { |one| Study::Notation.new(**one.to_h, label: nil) }

      def how
        differ = words.uniq.size > 1
        return WITHOUT_FLAG if differ && jit == "off" && engine::INTERPRETED.empty?

        "#{differ ? jit_words : 'two ways to write one variant'}. There is no " \
          "difference to measure#{alike}"
      end

      # What each says about its JIT.
      def words
        @variants.zip(@notations).map do |variant, notation|
          [*variant.flags.grep(Rubies::Engines::JIT_WORD), *notation.jit_words,
           *(Study::Notation::YOURS if notation.ruby == Study::Notation::YOURS),
           *variant.env.except(*variant.variables.keys).map { |pair| pair.join("=") }]
        end
      end

      # The flag of the JIT that both run, :own, "off"; nil if one leaves it to the application, and
      # no application can turn one on there.
      def jit
        both = canonical.first
        return :own if both.own_jit

        both.flags.grep(Rubies::Engines::JIT_SWITCH).first || ("off" if @variants.none?(&:own_jit))
      end

      def jit_words
        ruby = @variants.first.ruby
        return "#{engine::TITLE}'s JIT is its own: no application and no switch of CRuby's has a " \
               "say in it" unless engine::INTERPRETED.empty?
        return "both leave the JIT to the application" if jit == :own
        return "no application can turn a JIT on under #{ruby}" unless jit

        others = words.map { |one| one.join(" ") } - [jit, ""]
        return "both run #{jit}" if others.empty?

        others.map { |one| "#{one} of #{ruby} is #{jit}" }.join(", ")
      end

      def engine = Rubies::Engines.named(@variants.first.engine)

      def alike
        return "." if @notations.any?(&:secret?)

        ". #{beside_itself(plain.last.to_s)}"
      end

      def beside_itself(variant)
        "How alike two equal ones look here: #{Report::Proposal.to('compare', variant, variant)}"
      end
    end
  end
end
