# frozen_string_literal: true

require "test_helper"
require_relative "../../../rakelib/support/mutants"

module Mutants
  class OperatorsTest < Mohs::TestCase
    # What `code` becomes, one mutation each.
    def mutants(code) = Operators.of("toy.rb", code).map(&:mutant)

    def removed?(line)
      mutants("def f(a, b)\n#{line}\na\nend\n").include?("def f(a, b)\nnil\na\nend\n")
    end

    test "a comparison gets its bound moved, and turned round" do
      assert_equal ["a <= b", "a >= b"], mutants("a < b")
      assert_equal ["a != b"], mutants("a == b")
      assert_equal ["b <=> a"], mutants("a <=> b")
    end

    test "arithmetic is exchanged, but not of strings and arrays" do
      assert_equal ["a - b"], mutants("a + b")
      assert_equal ["a * b"], mutants("a / b")
      assert_equal ["a -= b"], mutants("a += b")
      assert_empty mutants('a + "b"')
      assert_empty mutants("a + [b]")
      assert_equal ["a"], mutants("-a")
    end

    test "either side of a condition goes, or the other operator comes" do
      assert_equal ["((a) || (b))", "(a)", "(b)"], mutants("a && b")
      assert_equal ["((a) && (b))", "(a)", "(b)"], mutants("a || b")
      assert_equal ["a"], mutants("!a")
    end

    test "a condition is negated, once" do
      assert_equal ["a if !(b)"], mutants("a if b")
      assert_equal ["!(a) ? b : c"], mutants("a ? b : c")
      assert_equal ["a if b != c"], mutants("a if b == c")
      assert_equal ["a while !(b)"], mutants("a while b")
    end

    test "a number is moved by one, a fraction by a tenth" do
      assert_equal %w[0 2], mutants("1").sort
      assert_equal ["2.2"], mutants("2.0")
      assert_equal ["1.0e-06"], mutants("1e-12")
      assert_equal ["1.0"], mutants("0.0")
      assert_equal ["false"], mutants("true")
      assert_equal ["a...b"], mutants("a..b")
    end

    test "a call becomes the opposite one, also where only its name is handed on" do
      assert_equal ["a.max"], mutants("a.min")
      assert_equal %w[a.all? a.none?], mutants("a.any?")
      assert_equal ["a.map(&:last)"], mutants("a.map(&:first)")
      assert_equal ["a.b"], mutants("a&.b")
    end

    test "a step of a chain goes, its block with it" do
      assert_equal ["a.map(&b)"], mutants("a.uniq.map(&b)")
      assert_equal ["a"], mutants("a.sort_by { |x| x.size }")
      assert_equal ["[a, b].max", "[a, c].min", "a"], mutants("a.clamp(b, c)").sort
    end

    test "an anchor, a quantifier, the case of a pattern" do
      assert_equal ['/[a]+\z/', '/\A[a]*\z/', '/\A[a]+/'], mutants('/\A[a]+\z/')
      assert_equal ["/b/"], mutants("/b/i")
    end

    test "a statement goes, if it isn't the last or an assignment that others need" do
      assert removed?("go(a)")
      assert removed?("return a if b")
      refute removed?("c = a")
    end

    test "a method returns nothing; one that answers yes or no, yes" do
      assert_equal ["def f = nil"], mutants("def f = a")
      assert_equal ["def f? = nil", "def f? = true"], mutants("def f? = a")
      assert_empty mutants("def initialize = a")
    end

    test "texts, symbols, comments and whatever is raised stay" do
      assert_empty mutants("raise A, b + 1.to_s\n")
      assert_empty mutants("# a < b\n\"a < b\"\n:min\n")
      assert_empty mutants("A = Struct.new(:a, keyword_init: true)\n")
    end

    test "what isn't Ruby any more is not made" do
      code = "def f(a) = a&.b = 1\n"

      mutants(code).each { |mutant| assert RubyVM::InstructionSequence.compile(mutant) }
    end

    test "a mutation knows its place and its method" do
      code = "X = 1\ndef f(a)\n  g(a)\n  a <\n    b\nend\n"
      mutation = Operators.of("toy.rb", code).find { |one| one.text == "<=" }

      assert_equal ["toy.rb", 4, 2], [mutation.file, mutation.line, mutation.method_line]
      assert_equal "toy.rb:4  a <  =>  a <=", mutation.to_s
      assert_nil Operators.of("toy.rb", code).first.method_line
    end
  end
end
