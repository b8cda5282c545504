# frozen_string_literal: true

module Mohs
  # Finds literals of tests that repeat prose of the library. Such a literal is a string or regexp
  # of three or more words, with a phrase that also stands in a string of lib: four adjacent words
  # of it, or all three. What stands between two words (figures, interpolations, signs, names of
  # files, options and codes) doesn't matter. Golden screens and fixtures are no Ruby; the name of a
  # test says what it is about, and doesn't count.
  class RepeatedProse
    # A word stands between spaces, with signs around it. A path, an option or a code is no word.
    WORD = %r{\A[^[:alnum:]_/-]*([a-z][a-z']+(?:-[a-z]+)*)[^[:alnum:]_/]*\z}

    # A regexp's own letters: those of \d, \b, \A, \n.
    ESCAPE = /\\[A-Za-z]/

    SHORTEST = 3
    ADJACENT = 4

    # Where it stands, its text and the phrase that it repeats.
    Literal = Struct.new(:path, :line, :text, :phrase) do
      def to_s = "#{path}:#{line} #{text.inspect} repeats #{phrase.inspect}"
    end

    # root: the folder with lib and test.
    #: (?String) -> void
    def initialize(root = Mohs.root)
      @root = root
    end

    # Those of all tests.
    #: () -> Array[Literal]
    def literals
      Dir.glob("test/**/*.rb", base: @root).sort.flat_map do |path|
        literals_of(path, File.read(File.join(@root, path)))
      end
    end

    # Those of one file's source.
    #: (String, String) -> Array[Literal]
    def literals_of(path, source)
      Scan.new(tests: true).call(source).filter_map do |line, text|
        phrase = phrases(words(text)).find { |one| known.key?(one) }
        phrase && Literal.new(path, line, text, phrase)
      end
    end

    private

    def known
      @known ||= Dir[File.join(@root, "lib/**/*.rb")].each_with_object({}) do |file, all|
        Scan.new(regexps: false).call(File.read(file)).each do |_, text|
          words = words(text)
          [SHORTEST, ADJACENT].each do |size|
            words.each_cons(size) { |phrase| all[phrase.join(" ")] = true }
          end
        end
      end
    end

    def phrases(words)
      return [] if words.size < SHORTEST

      words.each_cons([words.size, ADJACENT].min).map { |phrase| phrase.join(" ") }
    end

    def words(text)
      return [] unless text.include?(" ")

      text.scrub(" ").gsub(ESCAPE, " ").downcase.split.filter_map { |word| word[WORD, 1] }
    end

    # The literals of a file: [line, text] each. What Ruby joins is one literal, and so is a text
    # with interpolations, each of which stands as a space.
    class Scan
      NAMED = %i[test slow_test].freeze

      # tests: whether calls of `test` begin with a name.
      #: (?regexps: bool, ?tests: bool) -> void
      def initialize(regexps: true, tests: false)
        @regexps = regexps
        @tests = tests
        @found = []
      end

      #: (String) -> Array[[Integer, String]]
      def call(source)
        walk(RubyVM::AbstractSyntaxTree.parse(source))
        @found
      end

      private

      def walk(node)
        return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

        case node.type
        when :STR, :XSTR then add(node, node.children.first)
        when :DSTR, :DXSTR then joined(node)
        when :DREGX then joined(node, @regexps)
        when :LIT, :REGX then constant(node, node.children.first)
        else node.children.each { |child| walk(child) } unless name?(node)
        end
      end

      def add(node, text) = @found << [node.first_lineno, text]

      # A regexp or, as the key of a hash, a text.
      def constant(node, value)
        add(node, value) if value.is_a?(String)
        add(node, value.source) if value.is_a?(Regexp) && @regexps
      end

      def joined(node, wanted = true)
        parts = parts(node)
        add(node, parts.map { |part| part.is_a?(String) ? part : " " }.join) if wanted
        parts.each { |part| walk(part) }
      end

      # A text, an interpolation, and a list of further ones.
      def parts(node)
        node.children.compact.flat_map do |child|
          next [child] unless child.is_a?(RubyVM::AbstractSyntaxTree::Node)

          case child.type
          when :LIST, :ARRAY then parts(child)
          when :STR then child.children
          else [child]
          end
        end
      end

      # Of a test; its block is another node.
      def name?(node) = @tests && node.type == :FCALL && NAMED.include?(node.children.first)
    end
  end
end
