# frozen_string_literal: true

module Mohs
  class Study
    # Corrects words that are not valid notation but are usual elsewhere: a server's own options
    # ("puma -w 2"), its numbers without their colon ("puma2x5"), a JIT without its dashes
    # ("3.4.5 yjit"), both in words ("puma with 2 workers", "3.4.5 with yjit"), a front in words
    # ("puma behind nginx"), an allocator or a service by another name ("jemalloc", "pg"), an option
    # of mohs ("--env X=1"), an address without its http://, a commit without its @, commas without
    # a space.
    class Correction
      # The separator of words during the search; the start and the end of a word.
      GAP = "\0"
      HEAD = /(?<![^\0])/
      TAIL = /(?![^\0])/

      JIT = /[ymrz]?jit/i
      RUBY = Rubies::Engines::REFERENCE
      # The server meant by numbers without a name: that of Resolver::SERVER.
      SERVED = "puma"

      # The value of a server's own option; Puma's threads are "least:most".
      VALUE = /[=\0]?(?:\d+:)?(?<number>\d+)/
      NUMBERS = %r{(\d{1,4})(?:[x*:/](\d{1,4}))?}

      # A number in words, or as a setting of the server: "2 workers", "threads=5".
      KINDS = { processes: /workers?|process(?:es)?/, threads: /threads?/ }.freeze
      KIND = Regexp.union(KINDS.values)
      COUNT = /\d{1,4}\0?(?:#{KIND})|(?:#{KIND})[=:\0]\d{1,4}/
      COUNTS = /(?:#{COUNT})(?:\0(?:and\0|x\0)?(?:#{COUNT}))*/

      # Such a setting as a word of its own, which is not an environment variable.
      SETTING = /\A(?:#{KIND})=/

      # An address of this machine; its path is dropped, since paths have an option of their own.
      ADDRESS = %r{#{HEAD}((?:localhost|127(?:\.\d+){3}|\[::1\]):\d+)(?:/[^\0]*)?#{TAIL}}

      # Names of commits that every repository has; only git knows whether other names are commits.
      COMMIT = %r{#{HEAD}((?:HEAD|main|master|origin/[^\0~^]+)(?:[~^]\d*)*)#{TAIL}}

      # A front in words, or as in a study file.
      FRONT = /#{HEAD}(?:behind\0|front[:=]\0?)(?=(?:#{Regexp.union(Fronts.names)})#{TAIL})/i

      # An allocator, or another name of a service.
      ALLOCATOR = /#{HEAD}(#{Regexp.union(Process::Allocators.names)})#{TAIL}/i
      SERVICE = /#{HEAD}#{Regexp.union(UnknownWord::SERVICES.keys)}#{TAIL}/i

      # Words joined by commas without spaces, with no label, flag or value before the first comma.
      JOINED = /\A(?:\d+\.|[a-z]+[:\d-])[^=\0]*,/

      #: (Array[String], Module) -> void
      def initialize(words, servers)
        @words = words
        @servers = servers
        @name = /#{Regexp.union(servers.names).source}/i
      end

      # The words that were meant; nil if there is nothing to correct.
      #: () -> Array[String]?
      def call
        text = @words.flat_map { |word| split(word) }.join(GAP).gsub(/#{HEAD}with\0/i, "")
        fixed = served(compiled(text.gsub(/#{HEAD}--env[=\0](?=[A-Za-z_]\w*=)/, "")))
                .gsub(ADDRESS) { "http://#{$1}" }.gsub(COMMIT) { "@#{$1}" }
                .gsub(ALLOCATOR) { UnknownWord.setting($1.downcase) }
                .gsub(SERVICE) { |name| UnknownWord::SERVICES.fetch(name.downcase) }
                .gsub(FRONT, "").gsub(/#{HEAD}#{RUBY}\0(?=\d+\.\d)/, "").split(GAP).reject(&:empty?)
        fixed unless fixed == @words
      end

      private

      # "3.4.5,puma:2x5" is two words; commas inside a value stay.
      def split(word)
        return [word] unless JOINED.match?(word)

        plain, value = word.split(/,(?=[A-Za-z_]\w*=)/, 2)
        [*plain.split(","), *value]
      end

      # A JIT needs a Ruby: alone, it would look like an option of mohs.
      def compiled(text)
        text.sub(/\A[-+]?(#{JIT})#{TAIL}/) { [RUBY, "--#{$1.downcase}"].join(GAP) }
            .gsub(/#{HEAD}[-+]?(#{JIT})#{TAIL}/) { "--#{$1.downcase}" }
            .gsub(%r{#{HEAD}(\d[\d.]*)[-+_:/](#{JIT})#{TAIL}}) { "#{$1}\0--#{$2.downcase}" }
      end

      def served(text)
        @servers.names.inject(counted(text)) { |so_far, name| optioned(so_far, name) }
            .gsub(/#{HEAD}(#{@name})[:=_\0-]?#{NUMBERS}#{TAIL}/) { written($1, $2, $3) }
            .gsub(/#{HEAD}(\d{1,4})\*(\d{1,4})#{TAIL}/) { written(SERVED, $1, $2) }
      end

      # "puma with 2 workers", "puma:2, 5 threads"
      def counted(text)
        text.gsub(/#{HEAD}(?:(#{@name})(?::(\d{1,4}))?\0)?(#{COUNTS})#{TAIL}/) do
          name, processes, counts = $1, $2, $3.scan(COUNT)
          given = KINDS.transform_values { |kind| counts.grep(kind).last.to_s[/\d+/] }
          written(name || SERVED, processes || given[:processes] || 1, given[:threads])
        end
      end

      # "puma -w 2 -t 5:5"
      def optioned(text, name)
        return text unless text.downcase.include?(name) # building the patterns takes long

        parts = @servers.fetch(name)::OPTIONS
                        .transform_values { |all| /\0#{Regexp.union(all)}#{VALUE}/ }
        return text if parts.empty?

        options = /(?:#{Regexp.union(parts.values)})+/
        text.gsub(/#{HEAD}#{Regexp.escape(name)}#{options}#{TAIL}/i) do |words|
          given = parts.transform_values { |option| words[option, :number] }
          written(name, given[:processes] || 1, given[:threads])
        end
      end

      def written(name, *numbers) = "#{name.downcase}:#{numbers.compact.join('x')}"
    end
  end
end
