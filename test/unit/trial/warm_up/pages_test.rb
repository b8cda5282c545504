# frozen_string_literal: true

require "test_helper"

class WarmUpPagesTest < Mohs::TestCase
  Pages = Mohs::Trial::WarmUp::Pages

  def answer(path, weight = 1, method: "GET", **learned)
    Mohs::App::Answer.new(request: Mohs::App::Request.build(path:, method:, weight:), **learned)
  end

  test "each has its share of the requests and of the time" do
    seconds = { "/" => 0.001, "/report" => 0.1 }
    pages = Pages.of([answer("/", 95), answer("/report", 5)]) { |one| seconds[one.request.path] }

    assert_equal [Rational(19, 20), Rational(1, 20)], pages.map(&:share)
    assert_in_delta 5 / 5.95, pages.last.of_time, 1e-9
    assert_equal [Rational(1, 20), Rational(19, 20)], Pages.common(pages).map(&:share),
                 "dear though rare"
  end

  test "what takes a twentieth of the time together is left out" do
    pages = Pages.of([answer("/", 96), answer("/a", 2), answer("/b", 2)]) { 0.01 }

    assert_equal [Rational(96, 100)], Pages.common(pages).map(&:share)
  end

  test "addresses of one route are one page" do
    answers = (1..200).map { |number| answer("/posts/#{number}/comments?page=#{number}") }
    others = [answer("/posts"), answer("/posts", method: "POST"), answer("/posts/new")]

    assert_equal [Rational(200, 203), *[Rational(1, 203)] * 3],
                 Pages.of(answers + others) { 0.01 }.map(&:share)
    assert_equal Pages::SINGLE, Pages.of([]) { 0.01 }
  end

  test "addresses of one route that take far longer than others are a page of their own" do
    seconds = { "/reports?kind=list" => 0.005, "/reports?kind=all" => 0.009,
                "/reports?kind=totals" => 0.2 }
    answers = seconds.keys.zip([90, 5, 5]).map { |path, weight| answer(path, weight) }
    pages = Pages.of(answers) { |one| seconds[one.request.path] }

    assert_equal [Rational(19, 20), Rational(1, 20)], pages.map(&:share)
    assert_in_delta 1.0 / 1.495, pages.last.of_time, 1e-9
  end

  test "many addresses that differ in their last part alone are one page, a few may not be" do
    words = ("a".."k").to_a
    counts = [11, 10].map do |count|
      Pages.of(words.first(count).map { |word| answer("/posts/#{word}") }) { 0.01 }.size
    end

    assert_equal [1, 10], counts
    assert_equal 11, Pages.of(words.map { |word| answer("/#{word}") }) { 0.01 }.size, "no parent"
    unlike = Pages.of(words.map { |word| answer("/api/#{word}") }) do |one|
      one.request.path == "/api/a" ? 0.05 : 0.01
    end
    assert_equal 11, unlike.size
  end

  test "a scenario's requests count as often as their actions" do
    steps = %w[/login /posts /posts/{id} /search].map do |path|
      Mohs::Load::Scenario::Request.new(method: "GET", path:)
    end
    read, search = [[1..2, 3], [3..3, 2]].map do |range, weight|
      Mohs::Load::Scenario::Action.new(name: nil, weight:, steps: range)
    end
    scenario = Mohs::Load::Scenario.new(steps:, actions: [read, search])

    assert_equal [3, 3, 2].map { |part| Rational(part, 8) },
                 Pages.of_scenario(scenario).map(&:share)
  end

  test "what the steps of a scenario took is known after the load, but for those that none took" do
    steps = %w[/feed /report /never].map do |path|
      Mohs::Load::Scenario::Request.new(method: "GET", path:)
    end
    actions = [[0..0, 96], [1..1, 3], [2..2, 1]].map do |range, weight|
      Mohs::Load::Scenario::Action.new(name: nil, weight:, steps: range)
    end
    found = Pages.of_scenario(Mohs::Load::Scenario.new(steps:, actions:)) { [5, 250, nil][_1] }

    assert_equal [480, 750, 250].map { |part| part / 1480.0 }, found.map(&:of_time)
    assert_equal [96, 3, 1].map { |part| Rational(part, 100) }, found.map(&:share)
  end

  JSON_TYPE = "application/json"

  test "the resources of an API are as many pages, however they are called" do
    resources = ("a".."l").map do |name|
      answer("/api/#{name}", type: JSON_TYPE, body: %([{"id": 1, "#{name}": 2, "#{name}s": [3]}]))
    end
    operations = %w[user team].map do |name|
      answer("/graphql", method: "POST", type: JSON_TYPE, body: %({"data": {"#{name}": {"id": 1}}}))
    end

    assert_equal [12, 2], ([resources, operations].map { |all| Pages.of(all) { 0.01 }.size })
  end

  test "ids in the classes or the keys of a response are no parts of their own" do
    rows = ->(number) { (1..25).map { |row| %(<tr class="issue-#{(number * 25) + row}">) }.join }
    items = ->(number) { (1..6).map { |row| %("#{(number * 100) + row}":{"qty":1}) }.join(",") }
    found = [["text/html", rows], ["application/json", items]].map do |type, body|
      Pages.of((1..20).map { |one| answer("/lists/#{one}", type:, body: body.(one)) }) { 0.01 }.size
    end

    assert_equal [1, 1], found
  end

  # The elements of a text are its author's, and those of a compressed response are chance.
  test "what a user wrote, a picture and a compressed response have no parts" do
    random = Random.new(Minitest.seed)
    bodies = [["text/html", -> { %w[<ul> <td> <code> <h2> <hr> <a>].sample(3, random:).join }],
              ["image/png", -> { random.bytes(2000) }],
              ["text/html", -> { "\x1f\x8b\b\x00".b + random.bytes(2000) }]]
    found = bodies.map do |type, body|
      Pages.of((1..20).map { |one| answer("/posts/#{one}", type:, body: body.call) }) { 0.01 }.size
    end

    assert_equal [1, 1, 1], found
  end

  # JSON in JSON, as of a webhook's log; the last is cut off within an escape.
  test "what is in a string is no key, however it ends" do
    texts = ("a".."t").map { |one| JSON.generate((1..9).to_h { |count| [one * count, 1] }) }
    bodies = [*texts.map { |text| JSON.generate(id: 1, text:) }, %({"id": 1, "text": "\\"\\)]
    found = Pages.of(bodies.map.with_index { |body, one|
      answer("/hooks/#{one}", type: JSON_TYPE, body:)
    }) { 0.01 }

    assert_equal 1, found.size
  end

  test "the pages of one template are one, whatever they list" do
    posts = (1..12).map do |number|
      rows = %(<li class="comment">"no": key</li>) * number
      answer("/posts/#{'x' * number}", type: "text/html",
                                       body: "<html><body><h1>#{number}</h1>#{rows}</body></html>")
    end
    index = answer("/posts/all", type: "text/html", body: '<table class="all"><tr><td>1</td></tr>')

    assert_equal [1, 2], ([posts, [*posts, index]].map { |all| Pages.of(all) { 0.01 }.size })
  end

  # Their times are unknown.
  test "many resources of a scenario are as many pages" do
    steps = ("a".."l").map do |name|
      Mohs::Load::Scenario::Request.new(method: "GET", path: "/api/#{name}")
    end
    all = Mohs::Load::Scenario::Action.new(name: nil, weight: 1, steps: 0...steps.size)

    assert_equal 12, Pages.of_scenario(Mohs::Load::Scenario.new(steps:, actions: [all])).size
  end
end
