# frozen_string_literal: true

require "test_helper"

class StatsCochranTest < Mohs::TestCase
  include Mohs::Stats

  # ISO 5725-2, table 4: groups of three values each, critical values of the largest variance's
  # share at 1 % and 5 %.
  TABLE = { 2 => [0.995, 0.975], 3 => [0.942, 0.871], 4 => [0.864, 0.768], 5 => [0.788, 0.684],
            6 => [0.722, 0.616], 7 => [0.664, 0.561], 8 => [0.615, 0.516], 9 => [0.573, 0.478],
            10 => [0.536, 0.445] }.freeze

  # Groups of three values whose variances are as given.
  def groups(variances)
    variances.each_with_index.to_h do |variance, index|
      root = Math.sqrt(variance)
      [index, [5 - root, 5, 5 + root]]
    end
  end

  test "the p of the largest variance is that of the published tables" do
    TABLE.each do |count, critical|
      critical.zip([0.01, 0.05]) do |share, level|
        rest = (1 - share) / (count - 1)
        found = Cochran.p(groups([share, *[rest] * (count - 1)]))
        ends = [-0.001, 0.001].map do |off|
          others = (1 - share - off) / (count - 1)
          Cochran.p(groups([share + off, *[others] * (count - 1)]))[0]
        end

        assert level.between?(*ends.minmax), "#{count} groups at #{level}: #{found[0]}"
      end
    end
  end

  test "groups are left out one after the other, as long as one stands out" do
    found = Cochran.p(groups([10_000, 1, 1, 100, 1, 1, 1, 1]))

    assert_equal [0, 3], found.select { |_, p| p < 0.01 }.keys
    assert_operator found.except(0, 3).values.min, :>, 0.05
    # Beside the first the second would not.
    assert_operator Cochran.p(groups([100, 1, 1, 100, 1, 1, 1, 1])).values.min, :>, 0.01
  end

  test "more values in a group count as more degrees of freedom" do
    many = { 0 => [1.0, 5.0, 9.0], 1 => [4.0, 5.0, 6.0] * 5, 2 => [4.0, 5.0, 6.0] }
    few = many.merge(1 => [4.0, 5.0, 6.0])

    assert_operator Cochran.p(many)[0], :<, Cochran.p(few)[0] / 5
  end

  test "of single values, of one group and of groups without spread nothing is known" do
    assert_equal({ 0 => nil, 1 => nil }, Cochran.p({ 0 => [1.0], 1 => [2.0, 3.0] }))
    assert_equal({}, Cochran.p({}))
    assert_equal [1.0], Cochran.p({ 0 => [2, 2], 1 => [3, 3] }).values.uniq
    found = Cochran.p({ 0 => [2, 2], 1 => [3, 3], 2 => [3, 4] })
    assert_equal [0.0, 1.0], [found[2], found[0]]
  end

  test "groups that spread alike are left out in about one case of a hundred" do
    noise = Noise.new(7)
    out = Array.new(2000) do
      same = Array.new(9) { |index| [index, Array.new(3) { noise.normal }] }.to_h
      Cochran.p(same).values.min < 0.01
    end

    assert out.count(true).between?(6, 38), out.count(true)
  end
end
