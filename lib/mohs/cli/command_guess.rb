# frozen_string_literal: true

module Mohs
  class CLI
    # A word in the place of a command or an option that is neither: an address, a variant, a path,
    # a flag of Ruby. Finds the command line that was meant.
    class CommandGuess
      ADDRESS = %r{\A(?:https?://|unix:|localhost\b|\d+(?:\.\d+){3}\b|\[|[\w.-]+:\d+(?:/|\z))}i
      # With fewer digits it could be anything.
      PORT = %r{\A:?\d{4,5}(?:/|\z)}
      FLAG = /\A--(?:enable[=-]|disable[=-])?[ymrz]?jit(?:[=-]|\z)/
      NO_JIT = /\A--(?:no-?|disable[=-])(?<jit>[ymrz]?jit)\z/
      OF_VARIANT = "a JIT is part of a variant"
      VARIANT = "--variant"
      COMPARE = "compare"
      # Commands that take variants.
      MEASURING = [nil, "run", COMPARE].freeze

      # An allocator by its name, or as a value.
      ALLOCATOR = /\A--(?:with-)?(#{Regexp.union(Process::Allocators.names)})\z/
      ALLOCATORS = %w[--allocator --malloc].freeze

      #: (Array[String], CLI::Context) -> void
      def initialize(argv, context)
        @argv = argv
        @context = context
        @servers = context.servers
      end

      # The command line meant by a first word that is not a command; nil if nothing is recognised.
      #: () -> String?
      def command
        words = typed
        line(words) if words
      end

      # The hint for `option`, typed as an option of the command `name` (nil: none was typed); nil
      # if the option is not recognised.
      #: (String, String?) -> String?
      def option(option, name)
        return unless MEASURING.include?(name)
        return no_jit(name) if NO_JIT.match?(option)
        return flag(option, name) if FLAG.match?(option)
        return allocator(option, name) if ALLOCATOR.match?(option) || ALLOCATORS.include?(option)
        return "#{option} is part of A and B: mohs compare A B" if
          option == VARIANT && name == COMPARE

        parts(option, name) if TypedParts::OPTIONS.key?(option)
      end

      private

      def flag(option, name)
        "#{option} is a flag of Ruby. Did you mean #{line(flagged(name))}?"
      end

      def no_jit(name)
        words = @argv.reject { |word| NO_JIT.match?(word) }
        return "#{OF_VARIANT}: #{line(without_jit(words))}" if name == COMPARE

        without = "#{Study::Correction::RUBY} without #{Study::Notation::MAIN_JIT}"
        "#{OF_VARIANT}: #{line([*words, VARIANT, without])}"
      end

      # One variant, with the JIT and without it; two that were typed have none.
      def without_jit(words)
        typed, options = split(words)
        return [COMPARE, *words] if typed.size > 1

        jit = @argv.filter_map { |word| word[NO_JIT, :jit] }.first
        repository = @context.repository.call(@context.dir)
        pair = [typed.first || Study::Correction::RUBY, "no-#{jit}"]
        [COMPARE, *Pair.new(pair, [], servers: @servers, repository:).corrected, *options]
      end

      # Beside the last variant that was named; without one, it asks for a comparison.
      def allocator(option, name)
        at = @argv.index { |word| word == option || word.start_with?("#{option}=") }
        value = @argv[at][/=(.+)/, 1] || (@argv[at + 1] if ALLOCATORS.include?(option))
        words = @argv.first(at) + @argv.drop(@argv[at + 1] == value ? at + 2 : at + 1)
        setting = Study::UnknownWord.setting(option[ALLOCATOR, 1] || value || "jemalloc")
        "#{option} is part of a variant: #{line(beside(words, setting, name))}"
      end

      def beside(words, setting, name)
        last = words.rindex(VARIANT)
        return [*name, *words, VARIANT, "#{words[last + 1]}, #{setting}"] if last

        variants = name == COMPARE ? words.take_while { |word| !word.start_with?("-") } : []
        first = variants.first
        [COMPARE, first || Study::Correction::RUBY, [*first, setting].join(", "),
         *words.drop(variants.size)]
      end

      # A JIT alone asks for a comparison: with it or without it?
      def flagged(name)
        return [COMPARE, *pair(*before_options)] if name == COMPARE

        flags, others = @argv.partition { |word| FLAG.match?(word) }
        return [*name, *named(@argv)] unless flags.one? && (others & of_runs).empty?

        [COMPARE, *pair(["#{Study::Correction::RUBY} #{flags.first}"], others)]
      end

      # Options of a run that a comparison does not have.
      def of_runs
        run, compare = [nil, COMPARE].map { |name| CLI.described(name, @context).known_options }
        run - compare
      end

      def parts(option, name)
        parts = TypedParts.new(@argv, servers: @servers)
        return "#{option} is part of a variant" if parts.variants.any?(&:nil?)
        return "#{option} is part of A and B: #{compared(parts)}" if name == COMPARE

        words = parts.variants.flat_map { |variant| [VARIANT, variant] }
        "#{option} is part of a variant: #{line([*name, *parts.before, *words, *parts.after])}"
      end

      # The comparison of two that are asked for. One alone is compared with the variant that was
      # typed, or with itself without its numbers, or with the usual Ruby. Two that were typed both
      # get the parts.
      def compared(parts)
        typed, options = [parts.before, parts.after].map { |some| split(some) }
                                                    .transpose.map(&:flatten)
        asked = parts.variants
        asked = typed.map { |one| parts.beside(one) || asked.last } if typed.any?
        first = typed.first || parts.plain || Study::Correction::RUBY
        line([COMPARE, *(asked.one? ? [first, *asked] : asked.first(2)), *options])
      end

      # The variants before the first option, and what follows them.
      def split(words)
        variants = words.take_while { |word| !word.start_with?("-") }
        [variants, words.drop(variants.size)]
      end

      # As the command that is meant reads the words, without their secrets.
      def line(words)
        command, words = words.first, words.drop(1) if CLI.command?(words.first)
        arguments, given = CLI.described(command, @context).parser.read(words)
        Report::Proposal.new(command:, arguments:, options: given.map(&:masked)).line
      rescue OptionParser::ParseError
        Shell.command(["mohs", *command, *Secrets.mask_argv(words)])
      end

      def typed
        first, *rest = @argv
        return if first.empty?
        return ["load", Mohs::LoadRun::Server.of_port(first), *rest] if PORT.match?(first)
        return ["load", *@argv] if address?(first)
        return variants(*before_options) if variant?(first) && readable?(before_options.first)
        return ["run", *@argv] if first.match?(/\.ya?ml\z/)
        return ["--app", *@argv] if App::Folder.app?(File.expand_path(first, @context.dir))

        ["--get", first, *rest] if first.start_with?("/")
      end

      # "puma:2" looks like an address.
      def address?(word) = ADDRESS.match?(word) && !@servers.known?(word[/\A[a-z]+/i].to_s.downcase)

      # Not every word is a variant: "measure" would be a Ruby that is not installed.
      def variant?(word)
        return true if Study::Notation.meant(word, servers: @servers)

        notation = Study::Notation.parse(word, servers: @servers)
        notation.server || notation.revision || notation.ruby&.match?(ruby)
      rescue UsageError
        false
      end

      def readable?(words)
        words.each { |word| Study::Notation.parse(word, servers: @servers) }
      rescue UsageError
        false
      end

      # The beginning of a Ruby's name.
      def ruby = /\A(?:\d+\.\d|yours\z|#{Regexp.union(Mohs::Rubies::Engines.prefixes)}\b|ruby-\d)/

      # [variants, the other words].
      def before_options
        words = @argv.take_while { |word| !word.start_with?("-") || FLAG.match?(word) }
        glued = words.each_with_object([]) do |word, found|
          flag = FLAG.match?(word) ? "#{found.pop || Study::Correction::RUBY} #{word}" : word
          found << (Study::Notation.meant(flag, servers: @servers) || flag)
        end
        [glued, @argv.drop(words.size)]
      end

      def variants(words, rest)
        return [COMPARE, *words, *rest] if words.size == 2
        return [COMPARE, *pair(words, rest)] if
          words.one? && words.first.start_with?("#{Study::Correction::RUBY} -")

        [*words.flat_map { |word| [VARIANT, word] }, *rest]
      end

      # A single variant with flags is compared with itself without flags.
      def pair(words, rest)
        words.unshift(words.first[/\A\S+/]) if words.one?
        [*words, *rest]
      end

      # Joins each flag to the variant before it.
      def named(words)
        words.each_with_object([]) do |word, found|
          next found << word unless FLAG.match?(word)

          value = found[-2] == VARIANT && found.pop
          found.push(*(VARIANT unless value), "#{value || Study::Correction::RUBY} #{word}")
        end
      end
    end
  end
end
