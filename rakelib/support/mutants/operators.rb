# frozen_string_literal: true

require "parser/ruby31"

module Mutants
  # All mutations of a source: small mistakes that a test should notice. Error messages (everything
  # below `raise`) are left alone, and so are strings, symbols and comments.
  class Operators
    COMPARISONS = { :< => %i[<= >=], :<= => %i[< >], :> => %i[>= <=], :>= => %i[> <],
                    :== => %i[!=], :!= => %i[==] }.freeze
    ARITHMETIC = { :+ => :-, :- => :+, :* => :/, :/ => :*, :% => :*, :** => :* }.freeze
    # What a call becomes; nil: only its receiver.
    CALLS = {
      min: %i[max], max: %i[min], min_by: %i[max_by], max_by: %i[min_by], first: %i[last],
      last: %i[first], any?: %i[all? none?], all?: %i[any?], none?: %i[any?], select: %i[reject],
      reject: %i[select], filter_map: %i[map], flat_map: %i[map], take: %i[drop], drop: %i[take],
      take_while: %i[drop_while], drop_while: %i[take_while], ceil: %i[floor], floor: %i[ceil],
      round: %i[floor ceil], positive?: %i[negative? zero?], negative?: %i[positive?],
      start_with?: %i[end_with?], end_with?: %i[start_with?], odd?: %i[even?], even?: %i[odd?],
      keys: %i[values], values: %i[keys], succ: [nil], pred: [nil], abs: [nil], compact: [nil],
      uniq: [nil], sort: [nil], sort_by: [nil], reverse: [nil], flatten: [nil], strip: [nil],
      downcase: [nil], clamp: [nil],
    }.freeze
    TOLERANCE = 1e-6
    REMOVABLE = %i[send csend if block op_asgn ivasgn while until return next break yield].freeze

    #: (String, String) -> Array[Mutation]
    def self.of(file, source) = new(file, source).call

    #: (String, String) -> void
    def initialize(file, source)
      @file = file
      @source = source
      @found = {}
    end

    #: () -> Array[Mutation]
    def call
      buffer = Parser::Source::Buffer.new(@file, source: @source)
      walk(Parser::Ruby31.new.parse(buffer), nil)
      @found.values.sort_by { |mutation| [mutation.range.begin, mutation.text] }
    end

    private

    def walk(node, method)
      return if !node.is_a?(Parser::AST::Node) || raising?(node) || keyword_init?(node)

      method = node.loc.line if %i[def defs].include?(node.type)
      @method = method
      visit = :"on_#{node.type}"
      send(visit, node) if respond_to?(visit, true)
      node.children.each { |child| walk(child, method) }
    end

    def raising?(node) = node.type == :send && node.children[0].nil? && node.children[1] == :raise

    def keyword_init?(node) = node.type == :pair && node.children[0].children[0] == :keyword_init

    # -- calls and operators

    def on_send(node)
      receiver, name, *arguments = *node
      return unless receiver

      change_operator(node, receiver, name, arguments)
      change_call(node, receiver, name)
      replace(node.loc.expression, receiver.loc.expression.source) if %i[! -@].include?(name)
    end

    def on_csend(node)
      replace(node.loc.dot, ".")
      change_call(node, *node.children.first(2))
    end

    def change_operator(node, receiver, name, arguments)
      return unless arguments.one?

      COMPARISONS.fetch(name, []).each { |other| replace(node.loc.selector, other.to_s) }
      exchange(node, receiver, arguments.first) if name == :<=>
      other = ARITHMETIC[name]
      return if other.nil? || [receiver, *arguments].any? { |side| text?(side) }

      replace(node.loc.selector, other.to_s)
    end

    def text?(node) = %i[str dstr array].include?(node.type)

    def exchange(node, left, right)
      texts = [right, node, left].map { |part| part.loc.expression.source }
      replace(node.loc.expression, "#{texts.first} <=> #{texts.last}")
    end

    def change_call(node, receiver, name)
      bounds(node, receiver) if name == :clamp
      CALLS.fetch(name, []).each do |other|
        next replace(node.loc.selector, other.to_s) if other

        whole = @block_of&.first.equal?(node) ? @block_of.last : node
        replace(whole.loc.expression, receiver.loc.expression.source)
      end
    end

    def bounds(node, receiver)
      low, high = node.children.drop(2).map { |argument| argument.loc.expression.source }
      return unless high

      value = receiver.loc.expression.source
      replace(node.loc.expression, "[#{value}, #{low}].max")
      replace(node.loc.expression, "[#{value}, #{high}].min")
    end

    def on_block(node) = @block_of = [node.children.first, node]

    def on_block_pass(node)
      symbol = node.children.first
      return unless symbol&.type == :sym

      name = symbol.children.first
      others = CALLS.fetch(name, []).compact + COMPARISONS.fetch(name, [])
      [*others, *ARITHMETIC[name]].each { |other| replace(symbol.loc.expression, ":#{other}") }
    end

    def on_op_asgn(node)
      other = ARITHMETIC[node.children[1]]
      replace(node.loc.operator, "#{other}=") if other && !text?(node.children[2])
    end

    # -- conditions

    def on_and(node) = either(node, "||")
    def on_or(node) = either(node, "&&")

    def either(node, other)
      left, right = node.children.map { |side| side.loc.expression.source }
      replace(node.loc.expression, "((#{left}) #{other} (#{right}))")
      return if raising?(node.children.last) || %i[return next].include?(node.children.last.type)

      replace(node.loc.expression, "(#{left})")
      replace(node.loc.expression, "(#{right})")
    end

    def on_if(node) = negate(node.children.first)
    def on_while(node) = negate(node.children.first)
    def on_until(node) = negate(node.children.first)

    def negate(condition)
      return if condition.type == :send && [*COMPARISONS.keys, :!].include?(condition.children[1])

      replace(condition.loc.expression, "!(#{condition.loc.expression.source})")
    end

    # -- literals

    def on_int(node)
      value = node.children.first
      [value + 1, value - 1].each { |other| replace(node.loc.expression, other.to_s) }
    end

    # A tenth more; for a tolerance, where a tenth makes no difference, a million times as much.
    def on_float(node)
      value = node.children.first
      other = value.abs < TOLERANCE ? value * 1e6 : value * 1.1
      replace(node.loc.expression, value.zero? ? "1.0" : other.to_s)
    end

    def on_true(node) = replace(node.loc.expression, "false")
    def on_false(node) = replace(node.loc.expression, "true")
    def on_irange(node) = node.children.last && replace(node.loc.operator, "...")
    def on_erange(node) = node.children.last && replace(node.loc.operator, "..")

    # Removes or changes anchors, the quantifiers after a group or class of characters, and the
    # `i`.
    def on_regexp(node)
      node.children.grep_v(nil).select { |part| part.type == :str }.each do |part|
        start = part.loc.expression.begin_pos
        part.loc.expression.source.scan(/\\[Azb]|(?<=\\[dwsSDW]|\)|\])[+*](?![?+])/) do |found|
          other = { "+" => "*", "*" => "+" }.fetch(found, "")
          at = start + Regexp.last_match.begin(0)
          replace(part.loc.expression.with(begin_pos: at, end_pos: at + found.size), other)
        end
      end
      flags = node.children.last
      replace(flags.loc.expression, "") if flags.children.include?(:i)
    end

    # -- statements and methods

    def on_begin(node)
      return unless @method

      node.children[0..-2].each do |statement|
        next if !REMOVABLE.include?(statement.type) || raising?(statement)

        replace(statement.loc.expression, "nil")
      end
    end

    def on_kwbegin(node) = on_begin(node)
    def on_def(node) = change_body(*node.children.values_at(0, 2))
    def on_defs(node) = change_body(*node.children.values_at(1, 3))

    def change_body(name, body)
      return if body.nil? || name == :initialize || %i[nil true false].include?(body.type)

      replace(body.loc.expression, "nil")
      replace(body.loc.expression, "true") if name.end_with?("?")
    end

    # -- the mutation

    def replace(place, text)
      range = place.begin_pos...place.end_pos
      changed = @source.dup.tap { |copy| copy[range] = text }
      mutation = Mutation.new(file: @file, source: @source, line: place.line, method_line: @method,
                              range:, text:, before: excerpt(@source, range, range.size),
                              after: excerpt(changed, range, text.size))
      @found[changed] ||= mutation if changed != @source && valid?(changed)
    end

    # The lines of `source` around `size` characters, joined to one line.
    def excerpt(source, range, size)
      first = source.rindex("\n", [range.begin - 1, 0].max)&.succ || 0
      last = source.index("\n", [range.begin + size, first].max) || source.size
      source[first...last].split.join(" ")
    end

    def valid?(source)
      verbose, $VERBOSE = $VERBOSE, nil
      RubyVM::InstructionSequence.compile(source)
      true
    rescue SyntaxError
      false
    ensure
      $VERBOSE = verbose
    end
  end
end
