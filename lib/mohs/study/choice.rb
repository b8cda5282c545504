# frozen_string_literal: true

module Mohs
  class Study
    # What is measured if the user doesn't say: what people most likely want to know, in two
    # minutes. That is the application's own Ruby as the application runs it, and with the JIT the
    # other way round; then the same with the newest Ruby that the application allows. Pure.
    class Choice
      # The finder of the Rubies that typing `ruby` starts.
      ON_PATH = "path"

      # The reason of a Ruby that mohs does not support.
      TOO_OLD = "ruby_too_old"

      # A Ruby and why it is the application's own (".ruby-version").
      Own = Struct.new(:ruby, :reason)

      # rubies: all that are installed, including broken ones.
      #: (app: App, rubies: Array[Rubies::Ruby]) -> void
      def initialize(app:, rubies:)
        @app = app
        @rubies = rubies
        @working = rubies.select(&:ok?)
      end

      # The Ruby of variants that name none. Raises EnvironmentError if no Ruby starts.
      #: () -> Study::Choice::Own
      def own
        raise EnvironmentError, "no Ruby here starts. To see why: mohs rubies" if @working.empty?

        @own ||= wanted || on_path || first_allowed || Own.new(@working.first, "the first found")
      end

      # own_jit: whether an application that turns its JIT on is measured with it only. Raises
      # EnvironmentError if the application allows no Ruby.
      #: (?own_jit: bool) -> Array[Study::Notation]
      def notations(own_jit: false)
        [own.ruby, newest].uniq.flat_map { |ruby| with_jits(ruby, own_jit:) }
      end

      # What is measured if these Rubies (names) turn out not to be measurable: the newest of the
      # others, and its JIT. Empty if none is left.
      #: (Array[String], ?own_jit: bool) -> Array[Study::Notation]
      def instead_of(lost, own_jit: false)
        ruby = newest(lost)
        ruby ? with_jits(ruby, own_jit:) : []
      end

      # Each allowed Ruby, with each JIT that it has; also Rubies that don't start, so that they get
      # a row that gives the reason.
      #: () -> Array[Study::Notation]
      def everything
        known = @rubies.select { |ruby| forbidden(ruby).nil? }
        known.flat_map { |ruby| [[], *flags(ruby)].map { |flags| notation(ruby, [*flags]) } }
      end

      # What is installed but not `measured`; `why` is set if --all does not add it either. Rubies
      # that no option would add are left to `mohs rubies`.
      #: (?Array[Study::Notation | Study::Variant]) -> Array[{ name: String, why: String? }]
      def omitted(measured = notations)
        @rubies.reject { |ruby| ruby.reason&.code == TOO_OLD }.flat_map do |ruby|
          why = exclusion(ruby) || ruby.reason&.summary
          flags = flags_of(measured, ruby)
          next [{ name: ruby.name, why: }] if flags.empty?

          left = [[], *flags(ruby).map { |flag| [flag] }] - flags
          left.map { |more| { name: [ruby.name, *more].join(" "), why: } }
        end
      end

      # What --all leaves out and is not `measured` anyway.
      #: (?Array[Study::Variant]) -> Array[{ name: String, why: String? }]
      def forbidden_rubies(measured = [])
        left = @rubies.reject { |ruby| measured.map(&:ruby).include?(ruby.name) }
        left.filter_map { |ruby| exclusion(ruby)&.then { |why| { name: ruby.name, why: } } }
      end

      # The Rubies of these variants that the application forbids; they are measured because they
      # were named. Variants of a commit or another Gemfile, whose requirements are not known, don't
      # count, nor do refused variants, whose refusal gives the reason.
      #: (Array[Study::Variant]) -> Array[{ name: String, why: String }]
      def forbidden_of(variants)
        plain = variants.reject { |one| one.refusal || one.url || one.commit || one.gemfile }
        named = @rubies.select { |ruby| plain.map(&:ruby).include?(ruby.name) }
        named.filter_map { |ruby| forbidden(ruby)&.then { |why| { name: ruby.name, why: } } }
      end

      private

      def with_jits(ruby, own_jit:)
        return turned_on(ruby, only: own_jit) if @app.turns_jit_on?(ruby)

        [[], *served_with(ruby).map { |flag| [flag] }].map { |flags| notation(ruby, flags) }
      end

      def notation(ruby, flags, **members) = Notation.new(ruby: ruby.name, flags:, **members)

      # As the application runs it and, unless `only` so, without its JIT.
      def turned_on(ruby, only:)
        kept = notation(ruby, [], jit: Notation::OWN_JIT)
        kept = Notation.new(ruby: Notation::YOURS) if ruby == own.ruby
        only ? [kept] : [kept, notation(ruby, [], without: Notation::MAIN_JIT)]
      end

      def engine(ruby) = Rubies::Engines.named(ruby.engine)

      # The flags with which a Ruby is measured; the JIT of the application is as good as its flag.
      def flags_of(measured, ruby)
        names = [ruby.name, (Notation::YOURS if ruby == own.ruby)]
        measured.select { |one| names.include?(one.ruby) }.flat_map do |one|
          kept = own_jit?(one) && @app.turns_jit_on?(ruby)
          kept ? [one.flags, ["--#{@app.own_jit.jit}"]] : [one.flags]
        end
      end

      def own_jit?(one)
        one.is_a?(Variant) ? one.own_jit : one.own_jit?
      end

      # The Ruby's JITs that are used in production.
      def served_with(ruby)
        flags(ruby).reject { |flag| engine(ruby).experimental?([flag], ruby.name) }
      end

      def flags(ruby) = ruby.flags - engine(ruby)::DEVELOPMENT

      def forbidden(ruby) = forbidding(ruby)&.to_s

      # The requirement that forbids this Ruby, preferably one that Bundler enforces; nil if it is
      # allowed, or if what it is isn't known.
      def forbidding(ruby)
        return unless ruby.ok?

        all = @app.ruby_requirements.select do |one|
          !one.allows?(ruby) && !stands_in?(one, ruby)
        end
        all.find(&:enforced?) || all.first
      end

      # Why mohs leaves out a Ruby; nil if the application allows it.
      def exclusion(ruby)
        by = forbidding(ruby) or return

        "excluded by #{by}#{', unless --variant names it' unless by.enforced?}"
      end

      # A Gemfile mostly names one patch version (`ruby file: ".ruby-version"`). Where it is not
      # installed, another of the same minor version is measured rather than none.
      def stands_in?(requirement, ruby) = none_exact? && requirement.near?(ruby)

      def none_exact?
        return @none_exact if defined?(@none_exact)

        @none_exact = @working.none? do |ruby|
          @app.ruby_requirements.all? { |requirement| requirement.allows?(ruby) }
        end
      end

      def allowed = @working.select { |ruby| forbidden(ruby).nil? }

      def newest(lost = [])
        raise EnvironmentError, none_allowed if allowed.empty?

        same = allowed.select { |ruby| ruby.engine == own.ruby.engine }
        (released(same) + [own.ruby]).reject { |ruby| lost.include?(ruby.name) }
                                     .max_by(&:gem_version)
      end

      # The Ruby that the application names, else the newest of the same minor version. What only
      # the lock names may be excluded by now.
      def wanted
        return unless @app.ruby

        rubies = locked? ? allowed : @working
        exact = pick(rubies, @app.ruby)
        return Own.new(exact, @app.ruby_source) if exact

        minor = @app.ruby[/\A(?:[a-z]+-)?\d+\.\d+(?=\.)/]
        near = minor && pick(rubies, minor)
        Own.new(near, instead || "the newest #{minor} that is allowed by #{requirements}") if near
      end

      def pick(rubies, name)
        rubies.find { |ruby| ruby.name == name } ||
          Rubies::Spec.beginning(name, rubies).max_by(&:gem_version)
      end

      # The Ruby that the application asks for, and why it is not used; nil if it is here, but not
      # allowed.
      def instead
        return if pick(@working, @app.ruby)

        broken = pick(@rubies - @working, @app.ruby)
        says = locked? ? "was made with" : "says"
        "#{@app.ruby_source} #{says} #{@app.ruby}, which " \
          "#{broken ? "can't be used here" : 'is not installed'}"
      end

      # Does only the lock name the application's Ruby? Bundler records it there; it restricts
      # nothing.
      def locked? = App::WantedRuby::LOCK == @app.ruby_source

      def on_path
        ruby = @working.find { |one| one.source == ON_PATH } || @working.first
        return if allowed.any? && (forbidden(ruby) || outdated?(ruby))

        first = ruby.source == ON_PATH ? "the first on PATH" : "the first found"
        Own.new(ruby, [first, *(instead if @app.ruby)].join("; "))
      end

      # Is it older than the Ruby that the locked gems were chosen for, which may need a newer one?
      def outdated?(ruby)
        locked? && @app.ruby.match?(/\A\d/) && ruby.engine == Rubies::Engines::REFERENCE &&
          ruby.gem_version < Gem::Version.new(@app.ruby)
      end

      def first_allowed
        reference = allowed.select { |one| one.engine == Rubies::Engines::REFERENCE }
        newest = [released(reference), reference].find(&:any?)&.max_by(&:gem_version)
        ruby = newest || allowed.first
        Own.new(ruby, none_exact? ? missing : newest_allowed) if ruby
      end

      def newest_allowed
        by = " that is allowed by #{requirements}" if @app.ruby_requirements.any?
        ["the newest#{by || ' here'}", *(instead if @app.ruby)].join("; ")
      end

      def missing = "there is no Ruby here for #{requirements}"

      def released(rubies) = rubies.reject { |ruby| ruby.gem_version.prerelease? }

      def requirements = @app.ruby_requirements.join(" and ")

      def none_allowed
        "no Ruby here is allowed by #{requirements}: found #{@working.map(&:name).join(', ')}. " \
          "Install one, or measure another anyway: #{nearest_variants}"
      end

      # As options of the command that was typed, whichever it is: the newest that is not newer than
      # what is asked for, else the oldest; with and without JIT.
      def nearest_variants
        asked = @app.ruby_requirements.find { |one| !one.allows?(own.ruby) }
        same = @working.select { |ruby| ruby.engine == (asked.engine || own.ruby.engine) }
        same = @working if same.empty?
        older, newer = same.partition { |ruby| ruby.gem_version <= asked.version }
        ruby = older.max_by(&:gem_version) || newer.min_by(&:gem_version)
        words = with_jits(ruby, own_jit: false).flat_map { |one| ["--variant", one.to_s] }
        Shell.command(words)
      end
    end
  end
end
