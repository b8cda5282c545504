# frozen_string_literal: true

require "test_helper"

class TrackSameTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-track"

  Same = Mohs::Track::Same

  # A study of which every night's point is made. requests: options of App::Request.build.
  def study(*requests, **changes)
    all = requests.map { |one| Mohs::App::Request.build(**one) }
    track = Mohs::Track::History.new(name: "shop", reference: "@v1", reference_id: "@0f3a")
    question = Mohs::Track::Question.new(track)
    fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5", question:),
                  **(all.any? ? { requests: all } : {}), **changes)
  end

  # As it comes back from the store.
  def point(study, **changes)
    stored = Mohs::Store::Plain.call(Same.facts(study))
    facts = JSON.parse(JSON.generate(stored), symbolize_names: true)
    Mohs::Track::Point.of({ track: "shop", **facts, **changes })
  end

  # Why a point of the study can't follow this one; nil: it can.
  def refusal(study, before)
    Same.new(study, before).verify
    nil
  rescue Mohs::UsageError => error
    error.message[/of shop: (.*)\. Use the same/, 1]
  end

  def order(**options) = { path: "/orders", method: "POST", body: "{}", **options }

  test "the same load is compared, as it was declared and as it is stored" do
    [study(order), study({ path: "/" }, { path: "/a", weight: 3 })].each do |one|
      assert_nil refusal(one, point(one))
      assert_nil refusal(Mohs::Study.from_h(one.to_h), point(one))
    end
  end

  test "a request that looks the same is not the same load" do
    before = point(study(order, { path: "/" }))
    [order(body: "x" * 100_000), order(headers: { "Accept" => "text/html" }),
     order(weight: 2)].each do |changed|
      assert_said(refusal(study(changed, { path: "/" }), before))
    end
    refute_nil refusal(study(order, { path: "/" }, login: user("ann")), before)
  end

  def user(name, password = "one") = Mohs::Study::Credentials.new(user: name, password:)

  test "a scenario is the same as long as its file is" do
    scenario = ->(digest) { Mohs::Study::ScenarioFile.new(path: "/x/shop.yml", digest:) }
    before = point(study(scenario: scenario.call("a")))

    assert_equal "shop.yml has changed", refusal(study(scenario: scenario.call("b")), before)
    moved = Mohs::Study::ScenarioFile.new(path: "/y/other.yml", digest: "a")
    assert_nil refusal(study({ path: "/first" }, scenario: moved), before)
  end

  test "what is expected of responses is no load" do
    assert_nil refusal(study(order(expect: "thanks")), point(study(order)))
  end

  test "words of the report decide nothing" do
    one = study(order)
    assert_nil refusal(one, point(one, requested: ["post /orders"]))
  end

  test "another load is refused by what it shows, if that differs" do
    one = study({ path: "/products" })
    { { requested: ["GET /"] } => "requests GET / so far, GET /products now",
      { connections: 9 } => "connections 9 so far, 4 now" }.each do |changes, message|
      assert_equal message, refusal(one, point(one, load_id: "other", **changes))
    end
  end

  test "a variant's own connections and path are part of the load" do
    before = point(study)
    [{ connections: 9 }, { close: true }, { get: "/b" }].each do |changes|
      first, second = study.variants
      changed = Mohs::Study::Variant.new(**second.each_pair.to_h, **changes)
      refute_nil refusal(study(variants: [first, changed]), before)
    end
  end

  # The store has references in place of secrets (Secrets::Vault).
  test "secrets are not compared, so that they may change" do
    Dir.mktmpdir do |data|
      vault = Mohs::Secrets::Vault.new(env: { "XDG_DATA_HOME" => data })
      one = secret("a1", 1)
      assert_nil refusal(one, point(vault.seal(one)))
      assert_nil refusal(secret("b2c3", 23_456), point(vault.seal(one)))
      refute_nil refusal(secret("b2c3", 23_456, page: 2), point(vault.seal(one)))
    end
  end

  def secret(text, number, page: 1)
    body = JSON.generate(password: text, otp: number, page:)
    study(order(body:, headers: { "Authorization" => "Bearer #{text}" }),
          { path: "/a?token=#{text}&page=#{page}" }, login: user("ann", text))
  end
end
