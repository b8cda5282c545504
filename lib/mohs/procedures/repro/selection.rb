# frozen_string_literal: true

module Mohs
  module Repro
    # Decides which claims can be tested on this machine, and with which variants: each interpreter
    # as the study names it, else the nearest version that is installed. Pure except for `rubies`.
    class Selection
      # rubies: finds a Ruby by `find(spec)`. cores: how many there are. instead: { name of a Ruby
      # of the study => the user's replacement, a name or a path }. lost: { name of a Ruby that is
      # installed but can't be measured => why }.
      #: (Repro::Publication, rubies: untyped, cores: Integer, ?instead: Hash[String, String], ?lost: Hash[String, Reason]) -> void
      def initialize(publication, rubies:, cores:, instead: {}, lost: {})
        @publication = publication
        @rubies = rubies
        @cores = cores
        @own = instead
        @lost = lost
        @found = {}
        @notations = {}
        @places = {}
        instead.each { |name, spec| verify(name, spec) }
      end

      # only: a word of the claims, tables or variants that are wanted; nil: all. without: names of
      # variants to leave out; claims about them are not tested.
      #: (?String?, ?without: Array[String]) -> Repro::Choice
      def call(only = nil, without: [])
        tests = wanted(only).map { |claim| test(claim, without) }
        names = tests.reject(&:obstacle).flat_map { |one| one.levels.map(&:variant) }
        names |= unclaimed(without) if only.nil?
        Choice.new(publication: @publication, tests:, baseline: baseline(names),
                   variants: in_order(names).map { |name| [nil, @notations.fetch(name)] })
      end

      # The tests of claims by the source's own data, in which each level stands for itself.
      #: (?String?) -> Array[Repro::Test]
      def of_source(only = nil)
        wanted(only).map do |claim|
          levels = claim.statement.levels.map { |level| LevelMapping.new(level:, variant: level) }
          Test.new(claim: claim.id, levels:, obstacle: untold(claim.statement))
        end
      end

      private

      def wanted(only)
        claims = @publication.claims.select { |claim| only.nil? || about?(claim, only) }
        raise UsageError, nothing(only) if claims.empty?

        claims
      end

      # Raises UsageError for a mistake of the user's.
      def verify(name, spec)
        names = @publication.levels.values.filter_map(&:ruby).uniq
        raise UsageError, "#{@publication.name} names no Ruby that could be replaced: leave out " \
                          "--instead." if names.empty?
        raise UsageError, "#{name.inspect} is not a Ruby of #{@publication.name}. " \
                          "#{Suggest.hint(name, names)}" unless names.include?(name)

        @rubies.find(spec)
      end

      def about?(claim, word)
        texts = [claim.text, claim.table, *claim.statement.levels]
        texts.any? { |text| text.downcase.include?(word.downcase) }
      end

      def nothing(only)
        tables = @publication.claims.map(&:table).uniq.join(", ")
        "no claim of #{@publication.name} is about #{only.inspect}. Its tables: #{tables}. Its " \
          "variants: #{@publication.levels.keys.join(', ')}."
      end

      def test(claim, without)
        statement = claim.statement
        found, absent = resolved(claim)
        obstacle = stated(statement) || too_few_cores(claim) || missing(found, absent) ||
                   left_out(statement, without)
        return Test.new(claim: claim.id, levels: [], obstacle:) if obstacle

        Test.new(claim: claim.id, levels: found, cores: fewer_cores(claim))
      end

      # The mappings of its levels, and what is missing for others.
      def resolved(claim)
        claim.statement.levels.map { |level| resolve(level, claim.instead) }
             .partition { |one| one.is_a?(LevelMapping) }
      end

      def missing(found, absent)
        return if absent.empty? && in_order?(found)

        absent = absent.empty? ? reversed(found) : absent.uniq
        Analysis::Finding.note("repro_absent", interpreters: absent)
      end

      # How many cores the source had, and how many there are, if these are fewer.
      def fewer_cores(claim)
        there = claim.source_cores
        [there, @cores] if there && there > @cores
      end

      # Do stand-ins keep the order of the versions that they stand for? 2.7 in place of 2.0 beside
      # 2.6 itself would turn a gain into a loss. What the user names may.
      def in_order?(found)
        return true if @own.any?

        pairs = versions(found)
        pairs.combination(2).none? { |(a, b), (c, d)| a != c && ((a <=> c) * (b <=> d)) <= 0 }
      end

      # [the version asked for, the version used] of CRubies with numbers, where one stands in.
      def versions(found)
        levels = found.select(&:asked_ruby)
        return [] if levels.none?(&:used_ruby)

        levels.map { |one| [number(one.asked_ruby), version(one.used_ruby || one.asked_ruby)] }
              .select(&:all?).uniq
      end

      # The version in a CRuby's name: the study may name one that is not installed.
      def number(name)
        number = name.delete_prefix("ruby-")[/\A\d+(\.\d+)*/]
        Gem::Version.new(number) if number
      end

      # The version of a CRuby that is installed, by its name or path.
      def version(name)
        ruby = ruby(name)
        ruby.gem_version if ruby&.engine == Rubies::Engines::REFERENCE
      end

      # The levels for which a version stands in that is on the wrong side.
      def reversed(found)
        found.select(&:used).map { |one|
          { **one.to_h.slice(:asked, :asked_ruby), tried: [], broken: nil }
        }.uniq
      end

      # A source's batches only have rates and percentiles of each level alone, and no profiles.
      def untold(statement)
        own = statement.pairs.any? || statement.survival? || statement.categories
        return Analysis::Finding.note("repro_raw") if own

        stated(statement)
      end

      def stated(statement)
        return if statement.testable?

        Analysis::Finding.note("repro_stated", why: statement.reason)
      end

      def left_out(statement, without)
        names = statement.levels & without
        Analysis::Finding.note("repro_out_of_size", variants: names) if names.any?
      end

      def too_few_cores(claim)
        return unless claim.cores && claim.cores > @cores

        Analysis::Finding.note("repro_cores", needed: claim.cores, here: @cores)
      end

      # A LevelMapping, or what is missing: the interpreter asked for, what was tried instead, why
      # the interpreter asked for does not start, or can't be measured, if it is installed.
      def resolve(level, instead = {})
        notation = @publication.levels.fetch(level)
        return keep(level, notation) unless notation.ruby
        return unnamed(level, notation) if @publication.unnamed.include?(notation.ruby)

        asked = interpreter(notation)
        own = own(notation)
        others = own || instead[asked] || @publication.instead[asked] || []
        return keep(level, notation, asked: notation) if own.nil? && fit(notation)

        stand_in(level, notation, asked, others) || absent(notation, asked, others)
      end

      # The source does not name the version, so none stands in for it.
      def unnamed(level, notation)
        asked = interpreter(notation)
        own = own(notation)
        others = own || @publication.instead[asked] || []
        return keep(level, notation, unnamed: ruby(notation.ruby).name) if own.nil? && fit(notation)

        stand_in(level, notation, asked, others, unnamed: true) || absent(notation, asked, others)
      end

      def absent(notation, asked, tried)
        ruby = ruby(notation.ruby)
        { asked:, asked_ruby: notation.ruby, tried: tried - [asked], broken: ruby&.reason&.summary,
          **{ lost: @lost[ruby&.name]&.summary }.compact }
      end

      # The user's replacement, with the flags of the level, which are what is compared.
      def own(notation)
        ruby = @own[notation.ruby] or return
        [Study::Notation.new(ruby:, flags: notation.flags).to_s]
      end

      def stand_in(level, notation, asked, others, unnamed: false)
        others.each do |text|
          wanted = Study::Notation.parse(text)
          ruby = named(wanted) or next
          used = [ruby, *wanted.flags].join(" ")
          name = level.start_with?(asked) ? level.sub(asked, used) : "#{level} on #{used}"
          changed = Study::Notation.new(**notation.to_h, ruby:, flags: wanted.flags)
          return keep(level, changed, name:, unnamed: ruby) if unnamed

          return keep(level, changed, name:, asked: notation, used: changed)
        end
        nil
      end

      # asked, used: Notations.
      def keep(level, notation, name: level, asked: nil, used: nil, unnamed: nil)
        @notations[name] = Study::Notation.new(**notation.to_h, label: name)
        @places[name] ||= @publication.levels.keys.index(level)
        LevelMapping.new(level:, variant: name, asked: asked && interpreter(asked),
                         used: used && interpreter(used), unnamed:,
                         asked_ruby: asked&.ruby, asked_flags: asked&.flags,
                         used_ruby: used&.ruby, used_flags: used&.flags)
      end

      def interpreter(notation) = [notation.ruby, *notation.flags].join(" ")

      # The name of a Ruby that fits, or its path: builds of one version differ by their paths.
      def named(notation)
        ruby = fit(notation) or return
        notation.ruby.include?("/") ? notation.ruby : ruby.name
      end

      # The Ruby of a notation, if it can be measured here and has its JIT; else nil.
      def fit(notation)
        ruby = ruby(notation.ruby)
        return unless ruby&.ok? && !@lost.key?(ruby.name)

        flags = notation.flags & Rubies::Engines.jit_flags
        ruby if (flags - ruby.flags).empty?
      end

      # Each name is looked up once: all levels of a study share a few, and each look-up reads the
      # inventory.
      def ruby(name)
        @found.fetch(name) { @found[name] = find(name) }
      end

      def find(name)
        @rubies.find(name)
      rescue UsageError
        nil
      end

      # Variants that no claim is about are still part of the published tables.
      def unclaimed(without)
        claimed = @publication.claims.flat_map { |claim| claim.statement.levels }
        (@publication.levels.keys - claimed - without).filter_map do |level|
          found = resolve(level)
          found.variant if found.is_a?(LevelMapping)
        end
      end

      # The order of study.yml, so that its first variant is the baseline if it names none.
      def in_order(names) = names.uniq.sort_by { |name| @places.fetch(name) }

      def baseline(names)
        level = @publication.declaration[:baseline] or return
        found = resolve(level) if @publication.levels.key?(level)
        found.variant if found.is_a?(LevelMapping) && names.include?(found.variant)
      end
    end
  end
end
