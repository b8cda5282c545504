# frozen_string_literal: true

require "test_helper"

module Mohs
  module Bisect
    class SideTestTest < TestCase
      QUIET = { squares: (0.0075**2) * 10, freedom: 10 }.freeze
      NOTHING = { squares: 0.0, freedom: 0 }.freeze

      def sides(difference: -0.05, noise: QUIET, alpha: 0.01, **options)
        SideTest.new(difference:, noise:, alpha:, **options)
      end

      test "with noise known from before one cohort at an end decides" do
        assert_equal :first, sides.call([0.012])
        assert_equal :second, sides.call([-0.062])
        assert_equal :continue, sides.call([-0.03])
      end

      test "the side is by the nearer end, whichever way the ends differ" do
        assert_equal :first, sides(difference: 0.05).call([-0.012])
        assert_equal :second, sides(difference: 0.05).call([0.062])
      end

      test "without any noise known one cohort decides nothing, however far it is" do
        assert_equal :continue, sides(noise: NOTHING).call([1.0])
        assert_equal :first, sides(noise: NOTHING).call([0.01, 0.0101, 0.0099, 0.01])
      end

      test "the bound is Student's, of the pooled spread, at an equal share for each look" do
        squares = QUIET[:squares] + (2 * (0.001**2))
        differences = ->(mean) { [mean - 0.001, mean, mean + 0.001] }
        tail = 0.01 / SideTest::LOOKS.size
        reach = Stats::StudentT.upper_quantile(tail, 12) * Math.sqrt(squares / 12 / 3)

        assert_equal :continue, sides.call(differences.call(-0.025 + (0.999 * reach)))
        assert_equal :first, sides.call(differences.call(-0.025 + (1.001 * reach)))
        assert_equal :second, sides.call(differences.call(-0.025 - (1.001 * reach)))
      end

      test "it answers at looks alone, and says when the last has passed" do
        decided = Array.new(7) { 0.01 }

        assert_equal :continue, sides.call(decided)
        assert_equal :first, sides.call(decided + [0.01])
        assert_equal :exhausted, sides.call(Array.new(120) { |i| -0.025 + (i.odd? ? 0.01 : -0.01) })
        looks = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, nil]
        assert_equal looks, (0..120).map { |count| sides.next_look(count) }.uniq
      end

      test "what all of them may be off by has to leave the side, too" do
        bias = ->(below, above) { Stats::Bias.new(below:, above:) }
        near = Array.new(2) { -0.062 }

        assert_equal(%i[second exhausted], [0.01, 0.07].map { sides.call(near, bias: bias[0, _1]) })
        assert_equal :second, sides.call(near, bias: bias[0.07, 0])
        assert_equal :first, sides.call([0.03], bias: bias[0.01, 0.05])
        assert_equal :continue, sides.call([0.03], bias: 0.05)
      end

      # The ends seemed to differ by 5 %; if it is 2 %, all of that is in a step that lost 2 %.
      test "the middle may be off by half of what the ends' difference may be off by" do
        lost = Array.new(2) { -0.02 }
        found = [[0.0, 0.0], [0.0, 0.03], [0.03, 0.0]].map do |below, above|
          sides(noise: { squares: 1e-6, freedom: 10 },
                bias_of_difference: { below:, above: }).call(lost)
        end

        assert_equal %i[first exhausted first], found
      end

      # Measured 1.5 % off the middle, where the ends and the point may each gain 2 %.
      test "what the first end may gain counts half, as the middle moves by half of it" do
        asked = sides(noise: { squares: 1e-6, freedom: 10 },
                      bias_of_difference: { below: 0.02, above: 0.02 })
        found = [-0.003, -0.047].map do |value|
          asked.call(Array.new(2) { value }, bias: Stats::Bias.new(below: 0.02, above: 0.02))
        end

        assert_equal %i[first second], found
        assert_equal :exhausted, asked.call(Array.new(2) { -0.01 }, bias: 0.02)
      end

      test "at the middle itself either side is named seldom, and the wrong one less" do
        noise = Noise.new(7)
        before = lambda do
          Stats::NoisePool.of([Array.new(5) { 0.01 * noise.normal }]).to_h
        end
        output = Array.new(count = times(700, 2000)) do
          asked = sides(noise: before.call, alpha: 0.05)
          differences = []
          answer = :continue
          while answer == :continue && differences.size < 12
            differences << (-0.025 + (0.01 * noise.normal))
            answer = asked.call(differences)
          end
          answer
        end.tally

        assert_operator output.fetch(:first, 0), :<, count * 0.05
        assert_operator output.fetch(:second, 0), :<, count * 0.05
        assert_operator output.fetch(:first, 0) + output.fetch(:second, 0), :>, 0
      end
    end
  end
end
