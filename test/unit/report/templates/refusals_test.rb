# frozen_string_literal: true

require "test_helper"

# The words of reasons that rooms below the report have as a code and values.
class RefusalsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-refusals"

  def worded(code, **values)
    Mohs::Report::Render.reason(Mohs::Reason.new(code:, values: stored(values))).to_s
  end

  # As the store gives them back.
  def stored(values) = JSON.parse(JSON.generate(values), symbolize_names: true)

  def status(status, phrase, seen, **more)
    worded("error_status", request: "GET /", status:, phrase:, seen:, **more)
  end

  test "a redirect: where it leads and what to try" do
    tries = ["--get /login", "--get /path --header \"Cookie: _shop=...\""]

    assert_said(worded("redirected", request: "/", status: 302, to: "/l", tries:))
    assert_said(worded("redirected", request: "/", status: 302, to: "/l", with_cookie: true,
                                     tries: ["--get /l"]))
    assert_match(/\Areturned 303 to nowhere\./, worded("redirected", status: 303, tries:))
  end

  test "a redirect to where the application is set up" do
    assert_said(worded("redirected", request: "/", status: 302, to: "/setup", tries: [],
                                     set_up: true))
  end

  test "a limit on the rate: where it is set, and the variables that are read there" do
    limit = { file: "config/initializers/rack_attack.rb", line: 41 }

    [[], %w[LIMIT PERIOD]].each do |variables|
      assert_said(status(429, "Too Many Requests", {}, limit: { **limit, variables: }))
    end
  end

  test "a status: what was seen, what it means, and apart from that what to try" do
    assert_said(status(404, "Not Found", { title: "Not here" }))
    assert_said(status(500, "", {}))
    assert_said(status(418, "I'm a teapot", { text: "short, stout" }))
  end

  test "a status whose cause is known: that cause, with its own remedy or none" do
    trouble = { summary: "its files are stored at s3", remedy: nil }
    text = status(404, "Not Found", {}, trouble:)

    assert_said(text)
    assert_equal "#{text}\n--env S3=...",
                 status(404, "Not Found", {}, trouble: { **trouble, remedy: "--env S3=..." })
  end

  test "no cause contains what to type, which is the remedy's" do
    Mohs::Report::Templates::Refusals::STATUSES.each do |number, (cause, remedy)|
      refute_match(/--\w/, cause, number)
      assert_match(/--\w|Measure/, remedy, number)
    end
  end

  def with_cookie(code, temporary:, files: [], **values)
    worded(code, request: "GET /", cookie: { temporary:, files: }, **values)
  end

  REDIRECTED = { status: 302, to: "/login", tries: ["--get /login"] }.freeze

  test "a cookie that another secret made: which, and how to give it" do
    text = with_cookie("redirected", temporary: true, **REDIRECTED)

    assert_said(text)
    named = with_cookie("error_status", temporary: true, files: %w[tmp/local_secret.txt b.yml],
                                        status: 422, phrase: "", seen: {})
    assert_said(named)
  end

  test "a cookie that was not accepted" do
    [["redirected", REDIRECTED],
     ["error_status", { status: 401, phrase: "", seen: {} }]].each do |code, values|
      text = with_cookie(code, temporary: false, **values)

      assert_said(text)
      assert_match(/\nLog in again, .*SECRET_KEY_BASE.*--header "Host: /, text)
    end
  end

  test "a check that failed, because of its cookie or not" do
    values = { request: "GET /a", complaint: "302 instead of 200" }

    assert_equal "checks.yml: GET /a gave 302 instead of 200", worded("check_failed", **values)
    text = worded("check_failed", **values, cookie: { temporary: true, files: [] })
    assert_said(text)
  end

  test "a text that is missing, and a response that can't be read" do
    assert_said(worded("text_missing", request: "GET /", status: 200, expect: "Products",
                                       seen: { title: "Welcome" }))
    assert_equal "answered endlessly", worded("unreadable", fact: "answered endlessly")
  end

  test "a log's mix that is refused: how much of it, and the first request with its remedy" do
    refusal = { code: "error_status", values: { status: 404, phrase: "Not Found", seen: {} } }
    values = { requests: 1, of: 2, share: 0.6, first: "GET /a", refusal: }

    assert_said(worded("mix_refused", **values))
    note = Mohs::Report::Render.text("left_out", **values)
    assert_operator note, :end_with?, "refuses them: GET /a returned 404 Not Found, an empty body"
  end

  test "answers that differ from those of another server" do
    { { kind: "status", answer: 302, other: 200 } => "GET / returned 302 where a returned 200",
      { kind: "type", answer: nil, other: "text/html" } =>
        "GET / returned no type where a returned text/html",
      { kind: "type", answer: "text/html", other: nil } =>
        "GET / returned text/html where a returned none",
      { kind: "length", answer: 512, other: 4507 } =>
        "GET / returned 512 bytes where a returned 4507",
      { kind: "refused" } => "GET / is refused, but not by a" }.each do |values, text|
      assert_equal text, worded("answers_differ", request: "GET /", variant: "a", **values)
    end
    assert_equal "GET / is answered, but not by its other server",
                 worded("answers_differ", request: "GET /", kind: "answered", variant: nil)
  end

  test "a reason that has its own words keeps them" do
    reason = Mohs::Reason.new(summary: "a", remedy: "b", code: "redirected", values: {})

    assert_same reason, Mohs::Report::Render.reason(reason)
  end
end
