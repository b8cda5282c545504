# frozen_string_literal: true

module Micro
  # An arithmetic expression as a tree of objects, evaluated again and again: calls of small methods
  # with several receivers, and blocks.
  class Dispatch < Computed
    EXPECTED = 480000
    ROUNDS = 2000

    Number = Struct.new(:value) do
      def evaluate(_variable)
        value
      end
    end

    Variable = Class.new do
      def evaluate(variable)
        variable
      end
    end

    Sum = Struct.new(:left, :right) do
      def evaluate(variable)
        left.evaluate(variable) + right.evaluate(variable)
      end
    end

    Difference = Struct.new(:left, :right) do
      def evaluate(variable)
        left.evaluate(variable) - right.evaluate(variable)
      end
    end

    Choice = Struct.new(:condition, :left, :right) do
      def evaluate(variable)
        (condition.evaluate(variable).even? ? left : right).evaluate(variable)
      end
    end

    def initialize
      super
      @leaves = 0
      @tree = grow(9)
    end

    private

    def compute
      (1..ROUNDS).inject(0) { |sum, variable| sum + @tree.evaluate(variable) }
    end

    def grow(depth)
      return leaf if depth.zero?

      left, right = grow(depth - 1), grow(depth - 1)
      case depth % 3
      when 0 then Choice.new(Variable.new, left, right)
      when 1 then Difference.new(left, right)
      else Sum.new(left, right)
      end
    end

    def leaf
      @leaves += 1
      (@leaves % 3).zero? ? Variable.new : Number.new(@leaves)
    end
  end
end
