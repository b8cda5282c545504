# frozen_string_literal: true

module Mohs
  class CLI
    # Parts of variants that were typed as options, "--workers 2 --threads 5": what people know from
    # servers. Makes variants of them, in words that Study::Notation knows how to correct.
    class TypedParts
      # { option => [the part that it sets, its form in a variant, an example of its value] }.
      OPTIONS = { "--ruby" => [:ruby, "%s", "3.4.5"], "--server" => [:server, "%s", "puma:2x5"],
                  "--workers" => [:processes, "%s workers", "2"],
                  "--processes" => [:processes, "%s workers", "2"],
                  "--procs" => [:processes, "%s workers", "2"],
                  "--threads" => [:threads, "%s threads", "5"] }.freeze
      # Those that set the numbers of a server.
      COUNTS = OPTIONS.select { |_, (part)| %i[processes threads].include?(part) }.keys.freeze

      # The members of a notation that each part takes the place of.
      REPLACED = { ruby: { ruby: nil, flags: [], jit: nil, without: nil },
                   server: { server: nil } }.freeze

      # The words before the first of these options, and those behind it that belong to none.
      attr_reader :before, :after

      #: (Array[String], servers: Module) -> void
      def initialize(argv, servers:)
        @servers = servers
        @before = argv.take_while { |word| !part?(word) }
        @after = []
        @variants = []
        read(argv.drop(@before.size))
      end

      # A variant for each time that a part was typed; nil for one that can't be written.
      #: () -> Array[String?]
      def variants = @variants.map { |parts| variant([], parts) }

      # The first variant without its numbers, as it would be without these options; nil if it has
      # none.
      #: () -> String?
      def plain
        numbered = notation(variants.first)
        plain = unnumbered(numbered)
        plain.to_s unless plain == numbered
      end

      # `typed`, a variant, with the parts of the last one in place of its own; nil if that can't be
      # written.
      #: (String) -> String?
      def beside(typed)
        parts = @variants.last
        given = notation(typed).to_h
        kept = Study::Notation.new(**given, **parts.keys.map { |key| REPLACED[key].to_h }
                                                   .inject(:merge))
        # Numbers take the place of the server's own if it has them already.
        [kept, unnumbered(kept)].lazy.filter_map { |one| variant([one.to_s], parts) }.first
      rescue UsageError
        nil
      end

      private

      def part?(word) = OPTIONS.key?(word[/\A[^=]+/])

      # Collects the parts of each variant: one that has a part already is followed by another.
      # Further numbers, as in "--workers 1 2", make further variants.
      def read(words)
        while (word = words.shift)
          next @after << word unless part?(word)

          option, value = word.split("=", 2)
          part, form, example = OPTIONS.fetch(option)
          value ||= words.first&.start_with?("-") ? example : words.shift || example
          more = COUNTS.include?(option) ? words.take_while { |one| one.match?(/\A\d+\z/) } : []
          words.shift(more.size)
          [value, *more].each { |one| add(part, format(form, one)) }
        end
      end

      def add(part, text)
        @variants << {} if @variants.empty? || @variants.last.key?(part)
        @variants.last[part] = text
      end

      def variant(kept, parts)
        text = [*kept, *parts.values_at(:ruby, :server, :processes, :threads).compact]
               .reject(&:empty?).join(", ")
        Study::Notation.meant(text, servers: @servers) || notation(text).to_s
      rescue UsageError
        nil
      end

      def notation(text) = Study::Notation.parse(text, servers: @servers)

      def unnumbered(notation)
        Study::Notation.new(**notation.to_h, server: notation.server&.[](/\A[^:]+/))
      end
    end
  end
end
