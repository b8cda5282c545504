# frozen_string_literal: true

module Mohs
  module Report
    # What to measure next after a run, as the question that it answers and a Proposal: if two
    # variants ran the same JIT, what that is worth. A procedure's subclass adds what its own
    # results ask for.
    class Suggestion
      # [{ what:, command:, hint:, invocation: }], none or one (Proposal#to_document). unmet: see
      # Analysis::Run#unmet.
      #: (Hash[Symbol, untyped], Study, ?unmet: Store::Trial?) -> Array[Hash[Symbol, untyped]]
      def self.of(document, study, unmet: nil) = [new(document, study, unmet).to_h].compact

      #: (Hash[Symbol, untyped], Study, Store::Trial?) -> void
      def initialize(document, study, unmet)
        @document = document
        @study = study
        @unmet = unmet
      end

      #: () -> Hash[Symbol, untyped]?
      def to_h
        return unless @document[:state] == "finished" && subject

        what, proposal = @unmet ? other_jit : own
        { what:, **proposal.to_document } if proposal
      end

      private

      # What the figures ask for, and the Proposal; nil: nothing.
      def own = nil

      # Two variants ran the same JIT, that of the application: what it is worth.
      def other_jit
        return unless @unmet.reason.code == Store::Trial::SAME_JIT

        pair = with_and_without(@study.variant(@unmet.variant)) or return
        ["with and without a JIT", @study.file ? of_file(pair) : compared(pair)]
      end

      def compared(pair) = subject.to(Procedure.comparing, *pair)

      # The study's file again with these variants alone.
      def of_file(pair, **settings)
        command = Procedure.default.procedure(@study).command
        subject.to(command, @study.file).with(variants: pair, **settings)
      end

      # Do the variables of every server and these decide about the JIT? Then a variant with one and
      # one without would be refused (Study::Resolver#jit). Any version of the Ruby does here.
      def jit_asked?(variant, env)
        name = variant.ruby
        ruby = Rubies::Ruby.new(name:, engine: variant.engine, version: name, flags: [])
        !ruby.expects_jit([], { **@study.env.to_h, **env }).nil?
      end

      # nil if the Ruby has no JIT that is asked for by a flag, if variables ask for one, or if the
      # variant has a secret.
      def with_and_without(variant)
        jit, flag = @unmet.reason.values.values_at(:jit, :flag)
        off = jit == Rubies::Engines::Base::NO_JIT
        return if off && flag.nil?

        flags = variant.flags.grep_v(Rubies::Engines::JIT_WORD)
        env = variant.variables
        return if jit_asked?(variant, env)

        with = { flags: [*(flag if off), *flags],
                 without: (Study::Notation::MAIN_JIT unless off) }
        pair = [typed(variant, env:, flags:, jit: Study::Notation::OWN_JIT),
                typed(variant, env:, **with)]
        pair if pair.all?
      end

      # The variant as one would type it; a variant with a name of its own gets its settings, too.
      # nil if it has a secret.
      def written(name)
        variant = @study.variant(name) or return name
        return (name if typed(variant)) unless variant.labelled

        typed(variant, label: name, jit: (Study::Notation::OWN_JIT if variant.own_jit))
      end

      # The variant with all of its settings; nil if one of them is a secret, which only whoever
      # measured it can type.
      def typed(variant, env: variant.env, **changes)
        shape = [*variant.processes, *variant.threads].join("x")
        server = [*variant.server, *(shape unless shape.empty?)]
        members = variant.to_h.slice(*Study::Notation.members - %i[server revision env])
        notation = Study::Notation.new(**members, env:, revision: variant.revision&.fetch(:typed),
                                                  server: (server.join(":") if server.any?),
                                                  **changes)
        notation.to_s unless notation.secret?
      end

      # What was typed about what is measured; nil if it is not known.
      def subject
        @subject ||= Proposal.typed_for(@document[:provenance], command: @study.procedure.command,
                                                                about: %w[subject])
      end
    end
  end
end
