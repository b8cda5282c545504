# frozen_string_literal: true

require "test_helper"

class SameAnswersTest < Mohs::TestCase
  test "equal answers do not differ" do
    assert_nil difference({}, {})
  end

  test "a few bytes more are still the same page" do
    assert_nil difference({ length: 1000 }, { length: 1040 })
  end

  test "another status is a difference" do
    assert_equal "GET / returned 302 where a returned 200",
                 difference({ status: 302 }, {}).text("a")
  end

  test "another type is a difference" do
    assert_equal "GET / returned application/json where a returned text/html",
                 difference({ type: "application/json" }, {}).text("a")
    assert_equal "GET / returned no type where a returned text/html",
                 difference({ type: nil }, {}).text("a")
    assert_equal "GET / returned text/html where a returned none",
                 difference({}, { type: nil }).text("a")
  end

  test "a page of another size is a difference" do
    assert_equal "GET / returned 512 bytes where a returned 4507",
                 difference({ length: 512 }, { length: 4507 }).text("a")
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

    assert_equal "GET /b is refused, but not by a", difference.call(both.first(1), both).text("a")
    assert_equal "GET / is answered, but not by a", difference.call(both, both.last(1)).text("a")
    assert_nil difference.call(both, both)
  end

  test "what differs is data: the request, the kind and both values" do
    assert_equal({ request: "GET /", kind: "status", answer: 302, other: 200 },
                 difference({ status: 302, type: "text/plain" }, {}).to_h)
    assert_equal({ request: "GET /", kind: "type", answer: "text/html", other: nil },
                 difference({}, { type: nil }).to_h)
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
