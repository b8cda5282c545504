# frozen_string_literal: true

require "test_helper"

class SameAnswersTest < Mohs::TestCase
  test "equal answers do not differ" do
    assert_nil difference({}, {})
  end

  test "a few bytes more are still the same page" do
    assert_nil difference({ length: 1000 }, { length: 1040 })
  end

  test "another status, type or size is a difference, with both values" do
    { { status: 302 } => ["status", 302, 200],
      { type: "application/json" } => ["type", "application/json", "text/html"],
      { type: nil } => ["type", nil, "text/html"],
      { length: 512 } => ["length", 512, 4507],
      { status: 302, type: "text/plain" } => ["status", 302, 200] }.each do |changed, values|
      assert_equal ["GET /", *values], difference(changed, {}).to_a
    end
    assert_equal ["GET /", "type", "text/html", nil], difference({}, { type: nil }).to_a
  end

  test "the size of a page that varies is no difference, its status and type are" do
    varying = { length: 81, kind: :status }
    assert_nil difference(varying, { length: 42, kind: :status })
    assert_nil difference(varying, { length: 42 })
    assert_nil difference({ length: 42 }, varying)
    assert_equal "status", difference({ **varying, status: 302 }, varying).kind
  end

  test "a request that only one of them answers is a difference" do
    both = %w[/ /b].map { |path| answer({ request: Mohs::App::Request.build(path:) }) }
    difference = Mohs::App::SameAnswers.method(:difference)

    assert_equal ["GET /b", "refused", nil, nil], difference.call(both.first(1), both).to_a
    assert_equal ["GET /", "answered", nil, nil], difference.call(both, both.last(1)).to_a
    assert_nil difference.call(both, both)
  end

  test "two empty answers are the same" do
    assert_nil difference({ length: 0 }, { length: 0 })
  end

  private

  def difference(one, other) = Mohs::App::SameAnswers.difference([answer(one)], [answer(other)])

  def answer(facts)
    request = Mohs::App::Request.build(path: "/")
    Mohs::App::Answer.new(request:, status: 200, type: "text/html", length: 4507, **facts)
  end
end
