# frozen_string_literal: true

require "test_helper"

class RenderTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  Render = Mohs::Report::Render

  def finding(code, **values) = Mohs::Analysis::Finding.new(code:, severity: :warn, values:)

  def fill(template, **values) = Render.fill(template, finding("x", **values))

  test "values are filled in by name, formatted where the template asks for it" do
    assert_equal "3 000 of A took 5 % longer, 120 ms: 7",
                 fill("%{n|count} of %{who} took %{grown|percent} longer, %{wall_ns|ms}: %{n2}",
                      n: 3000, who: "A", grown: 0.05, wall_ns: 120_000_000, n2: 7)
  end

  test "a template may be code, which gets the values and the formatter" do
    assert_equal "a 5 %", fill(->(values, numbers) { "a #{numbers.percent(values[:share])}" },
                               share: 0.05)
  end

  test "a value that the finding lacks is named, with the finding's code" do
    error = assert_raises(KeyError) { fill("%{growth|percent}", other: 1) }
    assert_said(error.message)
  end

  test "a format that is none of Numbers' is refused" do
    assert_raises(KeyError) { fill("%{growth|percentage}", growth: 1) }
  end

  test "a value that is nil is no value that is missing" do
    assert_equal "of –", fill("of %{count|count}", count: nil)
  end

  test "a code without a template is named" do
    %w[nothing nobody.case].each do |code|
      error = assert_raises(KeyError) { Render.call(finding(code)) }
      assert_said(error.message)
    end
  end
end
