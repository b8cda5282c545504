# frozen_string_literal: true

module Mohs
  class CLI
    # A and B of `mohs compare` as typed: finds the command line that was meant if one of them is
    # missing or is not a variant.
    class Pair
      # A JIT, "with" or "without" it.
      JIT = /\A(?:(?:(?:--)?no|with|without)[- ]?|[-+])?#{Study::Correction::JIT.source}\z/i
      # What people call the allocator that a Ruby has by itself.
      USUAL_MALLOC = /\A(?:glibc|libc|malloc|ptmalloc)\z/i
      HEAD = "@HEAD"
      NOTHING = Study::Notation.new(flags: [], env: {})

      # given: the options beside them. repository: of the user's application.
      #: (Array[String], Array[CLI::Options::Given], servers: Module, repository: App::Repository) -> void
      def initialize(arguments, given, servers:, repository:)
        @arguments = arguments
        @given = given
        @servers = servers
        @repository = repository
      end

      # Raises UsageError with the command line that was meant, or with what is wrong with it.
      #: () -> void
      def verify
        words = corrected
        wrong = @arguments.zip(words).find { |typed, word| typed != word }&.first or return

        words.each { |word| notation(word) }
        raise UsageError, "#{wrong.inspect} is not a variant. Did you mean #{line(words)}? " \
                          "(mohs help variants)"
      end

      # A and B as they were meant; what is a variant stays as it was typed.
      #: () -> Array[String]
      def corrected
        @arguments.zip(@arguments.reverse).map do |typed, other|
          right = meant(typed)
          right ? beside(typed, right, other) : typed
        end
      end

      # An example of a comparison with the variant that was typed, without the options.
      #: (String) -> String
      def example(typed)
        a, b = pair(notation(meant(typed) || typed))
        command([a, b].map(&:to_s), [])
      end

      private

      def meant(text)
        return Study::Correction::RUBY if USUAL_MALLOC.match?(text)

        meant = Study::Notation.meant(text, servers: @servers) || (text if JIT.match?(text))
        revision = meant && notation(meant).revision or return meant

        there = "@#{@repository.meant(revision.delete_prefix('@'))}"
        changed(notation(meant), revision: there).to_s
      end

      def notation(text) = Study::Notation.parse(text, servers: @servers)

      def changed(notation, **members) = Study::Notation.new(**notation.to_h, **members)

      # A JIT alone belongs to the other variant.
      def beside(typed, right, other)
        return right unless JIT.match?(typed)

        jit = notation(right)
        base = JIT.match?(other) ? NOTHING : notation(meant(other) || other)
        jit = with(jit) if jit.without_jit? && !JIT.match?(other) && without?(base)
        ruby = base.ruby unless base.ruby == Study::Notation::YOURS
        ruby ||= jit.ruby || Study::Correction::RUBY
        changed(base, ruby:, flags: jit.flags, jit: jit.jit, without: jit.without,
                      **(jit.without_jit? ? interpreted(base) : {})).to_s
      end

      # Does it run without a JIT already? Then the other one is to have it.
      def without?(base)
        base.flags.empty? && base.jit_words.nil? && base.ruby != Study::Notation::YOURS &&
          interpreted(base).empty?
      end

      # With the JIT that it is to be without.
      def with(jit) = changed(jit, flags: ["--#{jit.without.downcase}"], without: nil)

      # The first variant is the baseline. What is typed to be without a JIT is that already, or
      # (JRuby) can't be.
      def pair(typed)
        return [typed, of_app(typed)] if typed.own_jit?
        return pair(plain(typed)) unless plain(typed) == typed
        return [changed(typed, flags: []), typed] if typed.flags.any?
        return [typed, of_app(typed)] if interpreted(typed).any?
        return [typed, changed(typed, flags: %w[--yjit])] if typed.ruby
        return servers(typed.server) if typed.server
        return commits(typed.revision) if typed.revision

        [Study::Correction::RUBY, typed]
      end

      # Without what says that there is no JIT.
      def plain(typed)
        flags = typed.flags.grep_v(Mohs::Rubies::Engines::JIT_OFF)
        changed(typed, flags:, without: nil)
      end

      # The same without the JIT of the application.
      def of_app(typed)
        ruby = typed.ruby == Study::Notation::YOURS ? Study::Correction::RUBY : typed.ruby
        changed(typed, ruby:, jit: nil, without: Study::Notation::MAIN_JIT, **interpreted(typed))
      end

      # What turns off a JIT that needs no flag, by the name of the Ruby; {} if it has none.
      def interpreted(typed)
        name = File.basename(typed.ruby.to_s)
        engine = Mohs::Rubies::Engines.offered.find { |one| name.start_with?(one.ruby_engine) }
        flags = engine ? engine::INTERPRETED : []
        flags.empty? ? {} : { flags: typed.flags | flags, jit: nil, without: nil }
      end

      # With one process and with two.
      def servers(text)
        name, threads = text[/\A[^:]+/], text[/x\d+\z/]
        two = "#{name}:2#{threads}"
        [text == two ? "#{name}:1#{threads}" : text, two]
      end

      def commits(name) = name == HEAD ? ["#{HEAD}~1", HEAD] : [name, HEAD]

      # The command line as it would be typed.
      def line(words)
        command(words, @given.map(&:masked))
      end

      def command(arguments, options)
        Report::Proposal.new(command: "compare", arguments:, options:).to_s
      end
    end
  end
end
