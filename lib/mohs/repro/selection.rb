# frozen_string_literal: true

module Mohs
  module Repro
    # Decides which claims can be tested on this machine, and by which variants: each interpreter as
    # the study names it, else the nearest version that is installed. Pure but for `rubies`.
    class Selection
      # rubies: finds one by `find(spec)`. cores: how many there are.
      #: (Repro::Publication, rubies: Module, cores: Integer) -> void
      def initialize(publication, rubies:, cores:)
        @publication = publication
        @rubies = rubies
        @cores = cores
        @notations = {}
      end

      # only: a word of the claims, tables or variants that are wanted; nil: all.
      #: (?String?) -> Repro::Choice
      def call(only = nil)
        claims = @publication.claims.select { |claim| only.nil? || about?(claim, only) }
        raise UsageError, nothing(only) if claims.empty?

        tests = claims.map { |claim| test(claim) }
        names = tests.reject(&:obstacle).flat_map { |one| one.levels.map(&:variant) }
        names |= unclaimed if only.nil?
        Choice.new(publication: @publication, tests:, baseline: baseline(names),
                   variants: in_order(names).map { |name| [nil, @notations.fetch(name)] })
      end

      private

      def about?(claim, word)
        texts = [claim.text, claim.table, *claim.statement.levels]
        texts.any? { |text| text.downcase.include?(word.downcase) }
      end

      def nothing(only)
        tables = @publication.claims.map(&:table).uniq.join(", ")
        "no claim of #{@publication.name} is about #{only.inspect}. Its tables: #{tables}. Its " \
          "variants: #{@publication.levels.keys.join(', ')}."
      end

      def test(claim)
        statement = claim.statement
        obstacle = stated(statement) || too_few_cores(claim)
        return Test.new(claim: claim.text, levels: [], obstacle:) if obstacle

        found, absent = statement.levels.map { |level| resolve(level, claim.instead) }
                                 .partition { |one| one.is_a?(Standing) }
        return Test.new(claim: claim.text, levels: found) if absent.empty?

        obstacle = Analysis::Finding.note("repro_absent", interpreters: absent.uniq)
        Test.new(claim: claim.text, levels: [], obstacle:)
      end

      def stated(statement)
        return if statement.testable?

        Analysis::Finding.note("repro_stated", why: statement.reason)
      end

      def too_few_cores(claim)
        return unless claim.cores && claim.cores > @cores

        Analysis::Finding.note("repro_cores", needed: claim.cores, here: @cores)
      end

      # A Standing, or what is missing: the interpreter asked for, what was tried in its place, and
      # why the first does not start, if it is here.
      def resolve(level, instead = {})
        notation = @publication.levels.fetch(level)
        return keep(level, notation, nil) unless notation.ruby

        asked = interpreter(notation)
        others = instead[asked] || @publication.instead[asked] || []
        return keep(level, notation, asked) if fit(notation)

        stand_in(level, notation, asked, others) ||
          { asked:, tried: others, broken: ruby(notation.ruby)&.reason&.summary }
      end

      def stand_in(level, notation, asked, others)
        others.each do |text|
          wanted = Study::Notation.parse(text)
          ruby = fit(wanted) or next
          used = [ruby.name, *wanted.flags].join(" ")
          name = level.start_with?(asked) ? level.sub(asked, used) : "#{level} on #{used}"
          changed = Study::Notation.new(**notation.to_h, ruby: ruby.name, flags: wanted.flags)
          return keep(level, changed, asked, name:, used:)
        end
        nil
      end

      def keep(level, notation, asked, name: level, used: nil)
        @notations[name] = Study::Notation.new(**notation.to_h, label: name)
        Standing.new(level:, variant: name, asked:, used:)
      end

      def interpreter(notation) = [notation.ruby, *notation.flags].join(" ")

      # The Ruby of a notation, if it starts here and has its JIT; else nil.
      def fit(notation)
        ruby = ruby(notation.ruby)
        return unless ruby&.ok?

        flags = notation.flags & Rubies::Engines.jit_flags
        ruby if (flags - ruby.flags).empty?
      end

      def ruby(name)
        @rubies.find(name)
      rescue UsageError
        nil
      end

      # Variants that no claim is about are a part of the published tables as well.
      def unclaimed
        claimed = @publication.claims.flat_map { |claim| claim.statement.levels }
        (@publication.levels.keys - claimed).filter_map do |level|
          found = resolve(level)
          found.variant if found.is_a?(Standing)
        end
      end

      # The order of study.yml.
      def in_order(names) = @notations.keys.select { |name| names.include?(name) }

      def baseline(names)
        level = @publication.declaration[:baseline] or return
        found = resolve(level) if @publication.levels.key?(level)
        found.variant if found.is_a?(Standing) && names.include?(found.variant)
      end
    end
  end
end
