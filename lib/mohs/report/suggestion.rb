# frozen_string_literal: true

module Mohs
  module Report
    # What to measure next after a run: the comparison that says most, as the question that it
    # answers and a command line.
    class Suggestion
      # Options that define what a run measures, so that the next command needs them, too; the value
      # is the number of words that follow the option.
      KEPT = { **Study::File::METHODS.to_h { |method| ["--#{method}", 1] },
               "-H" => 1, "--header" => 1, "--header-file" => 1, "--body" => 1,
               "--expect" => 1, "--weight" => 1,
               "--from-log" => 1, "--log-format" => 1, "--log-top" => 1, "--with-writes" => 0,
               "--with-assets" => 0, "--app" => 1, "--env" => 1, "--env-file" => 1,
               "--service" => 1, "--scenario" => 1, "--connections" => 1, "--cores" => 1,
               "--hold" => 1, "--own-config" => 0, "--own-jit" => 0, "--shield" => 0,
               "--fleet" => 0, "--hosts" => 1, "--same-host" => 1, "--in-place" => 0,
               "--warm-up" => 1, "--load-from" => 1, "--listen" => 1 }.freeze
      # Options of a run that the next command doesn't need.
      DROPPED = { "--variant" => 1, "--all" => 0, "--baseline" => 1, "--rounds" => 1,
                  "--seed" => 1, "--budget" => 1, "--report" => 1, "--dry-run" => 0,
                  "--quiet" => 0, "--json" => 0, "--debug" => 0, "-h" => 0, "--help" => 0 }.freeze

      # "--body=FILE", "-HName: value"
      WITH_VALUE = /\A(?:(?<option>--[^=]+)=|(?<option>-[^-])(?=.))/m

      # A study from a file is not compared but measured again, with this multiple of its rounds.
      MORE = 2

      # [{ what:, command:, hint: }], none or one. hint: what to write into files that the command
      # names, or nil. unmet: see Analysis::Run#unmet.
      #: (Hash[Symbol, untyped], Study, ?unmet: Store::Trial?) -> Array[Hash[Symbol, String?]]
      def self.of(document, study, unmet: nil) = [new(document, study, unmet).to_h].compact

      # The options of a command line that are among the `kept`; nil if it has a word that is none,
      # nor the value of one, nor `file`. kept, dropped: { option => number of words that follow it
      # }. variants: are other words the two variants of a comparison?
      #: (Array[String], kept: Hash[String, Integer], dropped: Hash[String, Integer], ?file: String?, ?variants: bool) -> Report::GivenOptions?
      def self.options(words, kept:, dropped:, file: nil, variants: false)
        words, found = words.dup, []
        while (word = words.shift)
          next if word == file || (variants && !word.start_with?("-"))
          return unless word.start_with?("-")

          glued = word[WITH_VALUE, :option]
          option = glued || word
          value = glued ? [] : words.shift({ **kept, **dropped }.fetch(option, 0))
          found << [option, [word, *value]] if kept.key?(option)
        end
        GivenOptions.new(found)
      end

      #: (Hash[Symbol, untyped], Study, Store::Trial?) -> void
      def initialize(document, study, unmet)
        @document = document
        @study = study
        @unmet = unmet
        measured = document[:rows].select { |row| row[:state] == "measured" }
        @base, @others = measured.partition { |row| row[:baseline] }
      end

      #: () -> Hash[Symbol, String?]?
      def to_h
        return unless @document[:state] == "finished" && options
        return other_jit if @unmet
        return if @base.empty?
        return if @study.jobs && @study.file.nil? # compare has no jobs

        what, a, b = pair
        return unless b

        { what:, hint: options.hint,
          command: @study.file ? of_file(a, b) : line("compare", a, b, *options.words) }
      end

      private

      def line(*words) = Shell.command(["mohs", *words])

      def of_file(a, b)
        rounds = MORE * @document[:rounds][:planned]
        line("run", @study.file, "--variant", a, "--variant", b, "--baseline", a,
             "--rounds", rounds.to_s, *options.words)
      end

      def compared? = !@study.comparison.nil?

      # Two variants ran the same JIT, that of the application: what it is worth.
      def other_jit
        return unless @unmet.reason.code == Store::Trial::SAME_JIT

        pair = with_and_without(@study.variant(@unmet.variant)) or return
        pair = ["run", @study.file, *pair.flat_map { |one| ["--variant", one] }] if @study.file
        pair.unshift("compare") unless @study.file
        { what: "with and without a JIT", command: line(*pair, *options.words),
          hint: options.hint }
      end

      # Do the variables of every server and these decide about the JIT? Then a variant with one and
      # one without would be refused (Study::Resolver#jit). Any version of the Ruby does here.
      def jit_asked?(variant, env)
        name = variant.ruby
        ruby = Rubies::Ruby.new(name:, engine: variant.engine, version: name, flags: [])
        !ruby.expects_jit([], { **@study.env.to_h, **env }).nil?
      end

      # nil if the Ruby has no JIT that is asked for by a flag, or if variables ask for one.
      def with_and_without(variant)
        jit, flag = @unmet.reason.values.values_at(:jit, :flag)
        off = jit == Rubies::Engines::Base::NO_JIT
        return if off && flag.nil?

        flags = variant.flags.grep_v(Rubies::Engines::JIT_WORD)
        env = variant.variables
        return if jit_asked?(variant, env)

        with = { flags: [*(flag if off), *flags], jit: (Study::Notation::NO_JIT unless off) }
        [typed(variant, env:, flags:, jit: Study::Notation::OWN_JIT), typed(variant, env:, **with)]
      end

      # What the comparison would tell, A and B.
      def pair
        top = @others.find { |row| outcome(row) == "faster" }
        return ["which of the two is faster", name(top), name(tied(top))] if top && tied(top)
        return ["narrower interval", name(@base.first), name(top)] if top

        open = @others.find { |row| outcome(row) == "undecided" } and
          ["to decide", name(@base.first), name(open)]
      end

      # The next variant that can't be told apart from `top`.
      def tied(top)
        marks = top[:group].to_s.chars
        @others.find { |row| row != top && row[:group].to_s.chars.intersect?(marks) }
      end

      def outcome(row) = row[:verdict][:outcome]

      # The variant as one would type it; a variant with a name of its own gets its settings, too.
      def name(row)
        variant = @study.variant(row[:variant])
        return row[:variant] if variant.nil? || written?(variant)

        typed(variant, label: variant.name,
                       jit: (Study::Notation::OWN_JIT if variant.own_jit))
      end

      # The variant with all of its settings.
      def typed(variant, env: variant.env, **changes)
        server = [variant.server, [*variant.processes, *variant.threads].join("x")]
        members = variant.to_h.slice(*Study::Notation.members - %i[server revision env])
        env = env.to_h { |key, value| [key, Secrets.mask(key, value)] }
        Study::Notation.new(**members, env:, revision: variant.revision&.fetch(:typed),
                                       server: server.reject(&:empty?).join(":"), **changes).to_s
      end

      # Whether the name says which settings it stands for.
      def written?(variant)
        return true unless variant.ruby && variant.url.nil?

        named = Study::Notation.parse(variant.name)
        ruby = named.ruby == Study::Notation::YOURS ? variant.ruby : named.ruby
        [ruby, named.flags] == [variant.ruby, variant.flags]
      rescue UsageError
        false
      end

      # The options of the command line that the next command needs; nil if a file declared the rest
      # and an older mohs did not keep it.
      def options
        @options ||= self.class.options(@document[:provenance][:argv], kept: KEPT,
                                                                       dropped: DROPPED,
                                                                       file: @study.file,
                                                                       variants: compared?)
      end
    end
  end
end
