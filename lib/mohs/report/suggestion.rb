# frozen_string_literal: true

module Mohs
  module Report
    # What to measure next after a run: the comparison that says most, as the question that it
    # answers and a command line.
    class Suggestion
      # Commands whose options about the subject `mohs run` and `mohs compare` have, too.
      COMMANDS = %w[run compare track gate bisect].freeze

      # A study from a file is not compared but measured again, with this multiple of its rounds.
      MORE = 2

      # [{ what:, command:, hint: }], none or one. hint: what to write into files that the command
      # names, or nil. unmet: see Analysis::Run#unmet.
      #: (Hash[Symbol, untyped], Study, ?unmet: Store::Trial?) -> Array[Hash[Symbol, String?]]
      def self.of(document, study, unmet: nil) = [new(document, study, unmet).to_h].compact

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
        return row[:variant] unless variant&.labelled

        typed(variant, label: variant.name,
                       jit: (Study::Notation::OWN_JIT if variant.own_jit))
      end

      # The variant with all of its settings.
      def typed(variant, env: variant.env, **changes)
        shape = [*variant.processes, *variant.threads].join("x")
        server = [*variant.server, *(shape unless shape.empty?)]
        members = variant.to_h.slice(*Study::Notation.members - %i[server revision env])
        env = env.to_h { |key, value| [key, Secrets.mask(key, value)] }
        Study::Notation.new(**members, env:, revision: variant.revision&.fetch(:typed),
                                       server: (server.join(":") if server.any?), **changes).to_s
      end

      # The options that the next command needs; nil if they are not known.
      def options
        @options ||= GivenOptions.of(@document[:provenance], COMMANDS) do |one|
          one.about == "subject"
        end
      end
    end
  end
end
