# frozen_string_literal: true

require "shellwords"

module Mohs
  class Study
    # A variant as people write it, parsed: syntax only, without a look at this machine (Resolver
    # does that). `3.4.5`, `3.4.5 --yjit`, `yjit::3.4.5 --yjit` (benchmark-driver's notation),
    # `jruby-9.4`, `puma:2x5` or `2x5`, `MALLOC_ARENA_MAX=2`, a path to a ruby, `@main`,
    # `Gemfile.next`, `config/puma-4.rb`, `nginx` in front of the server, `postgresql` beside it,
    # `connections=6`, `rate=200`, `get=/about` and `close` for the load that it gets, or several
    # joined by ", "; or `http://127.0.0.1:3000` alone. OPTIONS follow a server or are written
    # alone. Members not written are nil or empty.
    class Notation < Struct.new(:label, :ruby, :flags, :server, :env, :revision, :gemfile, :config,
                                :url, :front, :preload, :unix, :refork, :compact, :warmup,
                                :services, :connections, :rate, :get, :close, :jit,
                                :without, keyword_init: true)
      # Options of a server: it loads the application before it forks; it listens on a unix socket;
      # it forks its workers anew from a warm worker; its heap is compacted, or Process.warmup
      # called, before load starts.
      OPTIONS = %w[preload unix refork compact warmup].freeze
      # The application's own Ruby as the application runs it: with the JIT that it turns on.
      YOURS = "yours"
      # What a variant without a flag runs: the JIT that the application turns on by itself (`jit`),
      # or none whatever it asks for (`without`). The latter keeps the JIT's name that was typed, in
      # one spelling: "ZJIT", or "JIT" for any. All of these mean a Ruby without any JIT.
      OWN_JIT = "own-jit"
      MAIN_JIT = "YJIT"
      WITHOUT = /(?<=[\s,:]|\A)(?:without[\s-]+|(?:--)?no[\s-]?)(?<jit>[yzrm]?jit)(?=[\s,]|\z)/i
      LABEL = %r{\A(?<label>[^:,\s=/][^:,=/]*)::(?<rest>.+)\z}m
      # A variant's own load, instead of the study's.
      LOAD = /\A(?<key>connections|rate|get)=(?<value>.*)\z/m
      NUMBER = /\A[1-9]\d{0,5}\z/
      # A new connection for each request.
      CLOSE = "close"
      ASSIGNMENT = /\A[A-Za-z_][A-Za-z0-9_]*=/
      SERVER = /\A[a-z][a-z_]*:\S+\z/
      # Processes and threads of the server that a variant without one has.
      NUMBERS = /\A\d{1,4}x\d{1,4}\z/
      LOCK = %r{(?:\A|/)(?:Gemfile[^/]*|[^/]+\.gemfile)\.lock\z}
      # What Rubies are certain to be called; a user's own Ruby may have any name.
      RUBY = %r{\A(?:\d|[~./]|(?:#{Regexp.union(Rubies::Engines.prefixes).source}|ruby|yours)(?![a-z]))}
      # The kinds of words by their form; the first that matches applies.
      FORMS = {
        revision: /\A@/,
        gemfile: App::Folder::GEMFILE,
        url: %r{\A[a-z]+://}i,
        config: /\.rb\z/,
      }.freeze

      #: (String, ?servers: Module) -> Study::Notation
      def self.parse(text, servers: Servers) = Parser.new(text, servers).call

      # The valid spelling of something written as is usual elsewhere ("puma2x5"); nil if there is
      # nothing to correct.
      #: (String, ?servers: Module) -> String?
      def self.meant(text, servers: Servers) = Parser.new(text, servers).meant

      # Splits words as a shell would. Raises UsageError.
      #: (String) -> Array[String]
      def self.words(text)
        Shellwords.split(text)
      rescue ArgumentError
        raise UsageError, "#{text.inspect}: a quote is not closed."
      end

      # Parses the notation of a server alone, "puma:2x5 unix", into members. Raises UsageError.
      #: (String) -> { server: String, preload: bool?, unix: bool?, refork: bool?, compact: bool?, warmup: bool? }
      def self.of_server(text)
        server, *options = words(text)
        server = named(server.to_s) # "" has no words, and is no server either
        unknown = (options - OPTIONS).first
        return { server:, **options.to_h { |option| [option.to_sym, true] } } unless unknown

        raise UsageError, "#{text}: a server has no option #{unknown}. " \
                          "#{Suggest.hint(unknown, OPTIONS)}"
      end

      # The same, of a server that exists. Raises UsageError.
      #: (String, servers: Module) -> { server: String, preload: bool?, unix: bool?, refork: bool?, compact: bool?, warmup: bool? }
      def self.served(text, servers:)
        of_server(text).tap { |served| servers.parse(served.fetch(:server)) }
      end

      # A server with its name, which numbers alone (2x5) lack.
      #: (String) -> String
      def self.named(server)
        server.match?(NUMBERS) ? "#{Correction::SERVED}:#{server}" : server
      end

      # How the values of LOAD are written.
      EXAMPLES = { "connections" => "how many, connections=6",
                   "rate" => "whole requests a second, rate=200" }.freeze

      # Parses a value of LOAD: connections and rate (requests a second) into Integers, get into a
      # path. Raises UsageError.
      #: (String, String) -> (Integer | String)
      def self.load(key, value)
        return App::Request.build(path: value).path if key == "get"
        return Integer(value, 10) if value.match?(NUMBER)

        raise UsageError, "#{key}=#{value}: write #{EXAMPLES.fetch(key)}"
      end

      #: (?label: String?, ?ruby: String?, ?flags: Array[String], ?server: String?, ?env: Hash[String, String], ?revision: String?, ?gemfile: String?, ?config: String?, ?url: String?, ?front: String?, ?preload: bool?, ?unix: bool?, ?refork: bool?, ?compact: bool?, ?warmup: bool?, ?services: Array[String]?, ?connections: Integer?, ?rate: Integer?, ?get: String?, ?close: bool?, ?jit: String?, ?without: String?) -> void
      def initialize(**values)
        super(flags: [], env: {}, **values)
        freeze
      end

      # Names of the server's options that are set.
      #: () -> Array[String]
      def options = OPTIONS.select { |option| self[option] }

      # The words of the variant's own load: ["connections=6", "rate=200", "get=/about", "close"].
      #: () -> Array[String]
      def load
        [*%i[connections rate get].filter_map { |key| "#{key}=#{self[key]}" if self[key] },
         *(CLOSE if close)]
      end

      # Does a variable or its path contain a secret, so that the text can't serve as a name?
      #: () -> bool
      def secret?
        env.any? { |name, value| Secrets.mask(name, value) != value } ||
          load.any? { |text| Secrets.mask_path(text) != text }
      end

      # Does it ask for the application's own JIT?
      #: () -> bool
      def own_jit? = jit == OWN_JIT || ruby == YOURS

      #: () -> bool
      def without_jit? = !without.nil?

      # What it says about the application's JIT, as it is typed: "own-jit", "without ZJIT"; nil: it
      # says nothing.
      #: () -> String?
      def jit_words = without ? "without #{without}" : jit

      # The notation as it is typed.
      #: () -> String
      def to_s
        written = [[*ruby, *flags, *jit_words&.split], [*server, *options], [*front], [*revision],
                   [*gemfile], [*config], *services.to_a.zip, *load.zip,
                   *env.map { |name, value| ["#{name}=#{value}"] }, [*url]]
        parts = written.reject(&:empty?).map { |words| words.map { |word| quote(word) }.join(" ") }
        [*label, parts.join(", ")].join("::")
      end

      private

      def quote(word)
        return word unless word.match?(/[\s'"\\]|\A\z/)

        word.include?("'") ? Shellwords.escape(word) : "'#{word}'"
      end

      # Used once per text: collects the words by their form.
      class Parser
        # The application's own Ruby, without its JIT.
        RUBY_OF_APP = Correction::RUBY
        # "without YJIT" as one word.
        NO_JIT_WORD = /\A\(without-(?<jit>[yzrm]?jit)\)\z/
        KINDS = { ruby: "Rubies", connections: "numbers of connections", get: "paths",
                  rate: "rates" }.freeze

        #: (String, Module) -> void
        def initialize(text, servers)
          raise UsageError, "variant #{text.inspect} is not valid UTF-8." unless
            text.valid_encoding?

          @text = text.strip
          @servers = servers
          @found = { flags: [], env: {} }
        end

        #: () -> Study::Notation
        def call
          meant = meant() or return notation(typed)

          raise UsageError, "#{@text.inspect} is not a variant. Did you mean " \
                            "#{meant.inspect}? (mohs help variants)"
        end

        # The corrected text; nil if it can't be parsed either, or if it takes a leftover word for
        # the name of a Ruby.
        #: () -> String?
        def meant
          corrected = Correction.new(typed, @servers).call or return
          meant = self.class.new(@text, @servers).notation(corrected)
          return unless meant.ruby.nil? || meant.ruby.match?(RUBY)

          meant.to_s.tap { |text| self.class.new(text, @servers).verify }
        rescue UsageError
          nil
        end

        protected

        # Raises UsageError unless the text is valid as it is.
        def verify
          server = notation(typed).server
          @servers.parse(server) if server
          raise UsageError, "not settled" if Correction.new(typed, @servers).call
        end

        def notation(words)
          words.each { |word| take(word) }
          raise UsageError, 'a variant is empty. Write "3.4.5 --yjit, puma:2x5", say.' if nothing?

          made = Notation.new(label: LABEL.match(@text)&.[](:label)&.strip, **@found)
          verify_jit(made)
          made
        end

        private

        # The words after the label.
        def typed
          match = LABEL.match(@text)
          words(match ? match[:rest] : @text)
        end

        def words(text)
          text = text.gsub(WITHOUT) { "(without-#{$~[:jit].downcase})" }
          text.split(/,(?:\s+|\z)/).flat_map { |part| Notation.words(part) }.grep_v(/\A,*\z/)
        rescue UsageError => error
          raise UsageError, "variant #{error.message}"
        end

        # `yours` says whose JIT it is.
        def verify_jit(made)
          right = [RUBY_OF_APP, *made.flags, *made.jit_words].join(" ")
          raise UsageError, "variant #{@text.inspect}: yours has the application's own JIT. " \
                            "Write #{right.inspect}." \
            if made.ruby == YOURS && (made.without_jit? || jit_flag)
          raise two("JITs", OWN_JIT, jit_flag) if made.jit && jit_flag
        end

        def jit_flag = @found[:flags].grep(Rubies::Engines::JIT_SWITCH).first

        def nothing? = @found == { flags: [], env: {} }

        def take(word)
          case word
          when /\A-/ then @found[:flags] << word
          when Correction::SETTING then raise UsageError, no_variable(word)
          when LOAD then set($~[:key].to_sym, word, Notation.load($~[:key], $~[:value]))
          when ASSIGNMENT then @found[:env].store(*word.split("=", 2))
          when *OPTIONS, CLOSE then @found[word.to_sym] = true
          when NUMBERS then set(:server, Notation.named(word))
          when OWN_JIT then set_jit(jit: word)
          when NO_JIT_WORD then set_jit(without: $~[:jit].upcase)
          when *Services.offered.map(&:label)
            @found[:services] = @found[:services].to_a | [word]
          else set(form(word), word)
          end
        end

        def no_variable(word)
          "#{word} sets nothing of a server: write puma:2x5 for 2 processes of 5 threads. As " \
            "an environment variable it is given by --env #{word}"
        end

        def form(word)
          raise UsageError, "#{word} is a lock: name its Gemfile, #{word.delete_suffix('.lock')}." \
            if word.match?(LOCK)

          FORMS.find { |_, pattern| pattern.match?(word) }&.first ||
            served_by(word) || ruby(word)
        end

        # A user's own Ruby may have any name except that of an allocator or a service.
        def ruby(word)
          unknown = UnknownWord.new(word, servers: @servers)
          raise unknown.error if unknown.elsewhere

          :ruby
        end

        def served_by(word)
          return :front if Fronts.known?(word) && !@servers.known?(word)
          return :server if server?(word)

          Fronts.fetch(word) if near?(word, Fronts.names) # a misspelt front
        end

        def server?(word)
          name, settings = word.split(":", 2)
          return true if @servers.known?(name)

          # A bare word close to a server's name is a misspelt server; `fetch` raises that.
          @servers.fetch(name) if settings ? numbered?(word) : near?(name, @servers.names)
          false
        end

        def numbered?(word) = SERVER.match?(word) && !Fronts.known?(word[/[^:]+/])

        def near?(word, names) = !Suggest.nearest(word, names).nil?

        def set(key, word, value = word)
          raise twice(key, word) if @found[key]

          @found[key] = value
        end

        # Either says all about the application's JIT.
        def set_jit(**member)
          before, now = [@found.slice(:jit, :without), member].map { |one| Notation.new(**one) }
          raise two("JITs", before.jit_words, now.jit_words) if before.jit_words

          @found.merge!(member)
        end

        # A second Ruby that does not look like one is a word of another kind.
        def twice(key, word)
          unknown = [word, @found[key]].grep_v(RUBY).first if key == :ruby
          return surplus(unknown, [word, @found[key]] - [unknown]) if unknown

          two(KINDS.fetch(key) { "#{key}s" }, @found[key], word)
        end

        def two(kinds, one, other)
          UsageError.new("variant #{@text.inspect} names two #{kinds}, #{one} and #{other}.")
        end

        def surplus(unknown, others)
          UnknownWord.new(unknown, servers: @servers).error(beside: others.first || unknown)
        end
      end
    end
  end
end
