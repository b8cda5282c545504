# frozen_string_literal: true

require "test_helper"

class StudyFileTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  def load(text, files = {})
    with_files("study.yml" => text, **files) do |folder|
      return Mohs::Study::File.load(File.join(folder, "study.yml")), folder
    end
  end

  SCENARIO = "actions:\n  - get: /\n"

  def fault(text) = assert_raises(Mohs::StudyError) { load(text) }

  Mohs::Study::Sections::NAMES.each do |name|
    test "the annotated example of #{name} is a study file itself" do
      text = Mohs::Study::Sections.text(name)
      declaration, = load(text, "order.json" => "{}", "forum.yml" => SCENARIO)

      refute_empty declaration
      assert_match(/\A# \w/, text)
    end
  end

  test "all examples together are read whole" do
    text = Mohs::Study::Sections::NAMES.map { |name| Mohs::Study::Sections.text(name) }.join("\n")
    declaration, folder = load(text, "order.json" => '{"id": 1}', "forum.yml" => SCENARIO)

    assert_equal File.expand_path("../shop", folder), declaration[:app]
    assert_equal "not-so-secret", declaration[:env]["SECRET_KEY_BASE"]
    assert_equal ["GET /products", "POST /orders", "PUT /orders/1", "PATCH /orders/1",
                  "DELETE /orders/1", "HEAD /up"],
                 declaration[:requests].map(&:to_s)
    assert_equal [3, "Products"], declaration[:requests].first.to_h.values_at(:weight, :expect)
    assert_equal '{"id": 1}', declaration[:requests][2].body
    assert_equal [5, 120.0, 4, 8412], declaration.values_at(:rounds, :budget_s, :connections, :seed)
  end

  test "a scenario is looked for beside the study, then in the application" do
    text = "app: shop\nscenario: forum.yml\n"
    beside = { "forum.yml" => SCENARIO }
    inside = { "shop/forum.yml" => SCENARIO }
    paths = [beside, inside, { **beside, **inside }].map do |files|
      declaration, folder = load(text, files)
      declaration[:scenario].path.delete_prefix("#{folder}/")
    end

    assert_equal %w[forum.yml shop/forum.yml forum.yml], paths
    missing = fault("scenario: none.yml")
    assert_equal ["study.yml: scenario", 2],
[missing.key_path, missing.detail.scan("none.yml").size]
  end

  test "variants are read in both forms, with their places" do
    declaration, = load(Mohs::Study::Sections.text("variants"))

    assert_equal (1..18).map { |index| "variants/#{index}" }, declaration[:variants].map(&:first)
    quick, before = declaration[:variants].last(2).map(&:last)
    assert_equal ["quick", "3.4.5", ["--yjit"], "falcon:2", { "MALLOC_ARENA_MAX" => "2" }],
                 quick.to_a.first(5)
    loads = declaration[:variants].last(4).map do |_, one|
      [one.connections, one.rate, one.get, one.close]
    end
    assert_equal [[16, nil, "/about", true], [nil, 200, nil, true], [16, 200, "/about", true],
                  [nil, nil, nil, nil]], loads
    assert_equal ["@v1.2", "Gemfile.next", "config/puma-4.rb"], before.to_a[5, 3]
    assert_equal ["@main", "Gemfile.next", "config/puma-4.rb", "http://127.0.0.1:3000"],
                 (declaration[:variants][10..13].map { |_, one| one.to_a[5, 4].compact.first })
    assert_equal [%w[refork], %w[preload compact], %w[warmup]],
                 (declaration[:variants][5..7].map { |_, one| one.options })
    assert_equal [nil, "nginx", "nginx", "nginx"],
                 (declaration[:variants].values_at(4, 8, 9, -2).map { |_, one| one.front })
    assert_equal "3.4.5", declaration[:baseline]
  end

  test "a matrix is read, one level or several, names as text" do
    declaration, = load(<<~YAML)
      matrix:
        rubies: all
        flags: ["", --yjit]
        servers: falcon:2
        front: ["", thruster]
        env: {A: 1}
    YAML

    assert_equal Mohs::Study::Matrix.new(rubies: "all", flags: ["", "--yjit"],
                                         servers: ["falcon:2"], front: ["", "thruster"],
                                         env: [{ "A" => "1" }]),
                 declaration[:matrix]
  end

  test "all servers are a level of their own" do
    declaration, = load("matrix: {servers: all, flags: all}\n")

    assert_equal Mohs::Study::Matrix.new(servers: "all", flags: "all"), declaration[:matrix]
  end

  test "a request counts once where no weight is given" do
    declaration, = load("requests: [{get: /a}, {get: /b, weight: 2}]\n")

    assert_equal [1, 2], declaration[:requests].map(&:weight)
    assert_equal [{}, nil, nil],
                 declaration[:requests].first.to_h.values_at(:headers, :body, :expect)
  end

  test "a profile is taken if it is asked for" do
    assert_equal [true, false, nil],
                 ["profile: true\n", "profile: false\n", "rounds: 1\n"]
                   .map { |text| load(text).first[:profile] }
  end

  test "the least numbers are taken" do
    declaration, = load("rounds: 1\nconnections: 1\nseed: 0\n")

    assert_equal [1, 1, 0], declaration.values_at(:rounds, :connections, :seed)
  end

  test "what a variant does not say is not there" do
    declaration, = load("variants: [{ruby: 3.4.5}, {name: a, server: puma}]\n")

    assert_equal [Mohs::Study::Notation.new(ruby: "3.4.5"),
                  Mohs::Study::Notation.new(label: "a", server: "puma")],
                 declaration[:variants].map(&:last)
  end

  test "what stands in front of a variant's server is a key, and nothing where it is empty" do
    declaration, = load("variants: [{server: puma, front: thruster}, {front: \"\", ruby: 3.4}]\n")

    assert_equal ["thruster", nil], (declaration[:variants].map { |_, one| one.front })
  end

  test "of variables a matrix may have several levels" do
    declaration, = load("matrix: {env: [{A: 1}, {A: 2, B: x}]}\n")

    assert_equal [{ "A" => "1" }, { "A" => "2", "B" => "x" }], declaration[:matrix].env
  end

  test "a version that YAML takes for a number is text" do
    declaration, = load("baseline: 3.4\nvariants: [3.4, 3.1.2]\n")

    assert_equal "3.4", declaration[:baseline]
    assert_equal(["3.4", "3.1.2"], declaration[:variants].map { |_, notation| notation.ruby })
  end

  # A file => where it is at fault. What is said about it: mistakes-study.txt.
  FAULTS = {
    "variants:\n  - 3.4.5\n  - server: pumaa:2x5\n" => "variants/2/server",
    "variants: [\"3.4.5, pumaa:1\"]\n" => "variants/1",
    "variants: [{server: 3}]\n" => "variants/1/server",
    "variants: [{server: ''}]\n" => "variants/1/server",
    "matrix: {servers: ['']}\n" => "matrix/servers/1",
    "matrix:\n  servers: [puma:1x5, \"puma:x\"]\n" => "matrix/servers/2",
    "variants: [{front: ngnix}]\n" => "variants/1/front",
    "matrix: {front: [\"\", caddy]}\n" => "matrix/front/2",
    "roundz: 3\n" => "roundz",
    "zzzzzz: 3\n" => "zzzzzz",
    "matrix:\n  rubie: 3.4.5\n" => "matrix/rubie",
    "rounds: many\n" => "rounds",
    "profile: cpu\n" => "profile",
    "cold_start: 64\n" => "cold_start",
    "cold_start: 9x1024\n" => "cold_start",
    "cold_start: 64x0\n" => "cold_start",
    "cores: half\n" => "cores",
    "rounds: 0\n" => "rounds",
    "own_config: 1\n" => "own_config",
    "env: [A]\n" => "env",
    "env:\n  A: [1]\n" => "env/A",
    "app: {}\n" => "app",
    "budget: soon\n" => "budget",
    "requests:\n  - get: /a\n  - post: b\n" => "requests/2",
    "requests:\n  - weight: 2\n" => "requests/1",
    "requests:\n  - post: /a\n    body_file: none.json\n" => "requests/1/body_file",
    "requests: 3\n" => "requests",
    "- a\n" => "the whole",
    "a: [\n" => "line 2",
    "app: \"\\xFF\n" => "line 1",
    "b: &x 1\nrounds: *x\n" => "the whole",
    "rounds: 2020-01-01\n" => "the whole",
    "rounds: 2.5\n" => "rounds",
    "seed: -1\n" => "seed",
    "connections: 0\n" => "connections",
    "budget: -1\n" => "budget",
    "variants: []\n" => "variants",
    "matrix: {rubies: []}\n" => "matrix/rubies",
    "requests: []\n" => "requests",
    "variants: [~, 3.4.5]\n" => "variants/1",
    "variants: [\"3.4.5, A='b\"]\n" => "variants/1",
    "variants: [{flags: \"a'b\"}]\n" => "variants/1/flags",
    "variants: [{ruby: [3.4]}]\n" => "variants/1/ruby",
    "variants: [{rubi: 3.4}]\n" => "variants/1/rubi",
    "variants: [{env: 3}]\n" => "variants/1/env",
    "matrix: {flags: [--yjit, \"'\"]}\n" => "matrix/flags/2",
    "matrix: {env: [{A: {}}]}\n" => "matrix/env/1/A",
    "matrix: [3.4]\n" => "matrix",
    "requests: [{get: /, post: /}]\n" => "requests/1",
    "requests: [{get: /, weight: 0}]\n" => "requests/1",
    "requests: [{get: /, headers: {Connection: close}}]\n" => "requests/1",
    "requests: [{get: /, expect: [a]}]\n" => "requests/1/expect",
    "services: [postgres]\n" => "services/1",
    "services: [redis, {postgresql: 'redis://:hunter2@x'}]\n" => "services/2",
    "listen: 10.0.0.2\n" => "listen",
    "load_from: lab@b\nlisten: eth0\n" => "load_from",
    "streams: {protocol: ws}\n" => "streams",
    "streams: {rate: 100}\n" => "streams",
    "streams: {rate: often}\n" => "streams/rate",
    "streams: {open_rate: 0}\n" => "streams",
    "services: {redis: [a]}\n" => "services/redis",
    "1: 2\n" => "1",
    "gates: [{name: x}]\n" => "gates/1",
    "gates: [{get: a}]\n" => "gates/1",
    "gates: [{get: /, limits: [cpu < 2%, cpu]}]\n" => "gates/1/limits/2",
    "gates: [{get: /, limit: x}]\n" => "gates/1/limit",
  }.freeze

  FAULTS.each_with_index do |(text, place), index|
    test "fault #{index + 1} is told with its place: #{text.inspect}" do
      assert_equal "study.yml: #{place}", fault(text).key_path
    end
  end

  # All but what the parser of YAML says itself.
  test "every fault is told with what to write" do
    faults = FAULTS.to_h { |text, _| [text, fault(text)] }
    own = faults.reject { |_, error| error.cause.is_a?(Psych::Exception) }

    assert_operator own.size, :>, 60
    assert_told "mistakes-study", own.transform_values(&:message)
  end

  test "services are private ones by their names, or the person's own by their addresses" do
    text = "services: [postgresql, {redis: 'redis://x'}]\nenv: {A: 1}\n"

    assert_equal [%w[postgresql], { "REDIS_URL" => "redis://x", "A" => "1" }],
                 load(text).first.values_at(:services, :env)
    assert_equal [nil, { "REDIS_URL" => "redis://x" }],
                 load("services: {redis: 'redis://x'}\n").first.values_at(:services, :env)
    assert_equal %w[redis], load("services: redis\n").first[:services]
  end

  test "streams are event streams, or WebSockets with a rate of messages, or a channel" do
    texts = ["slice: 2s", "protocol: websocket, rate: 20, open_rate: 50",
             "protocol: websocket, channel: ChatChannel, action: say, fan_out: true"]
    texts << "publish: /publish, rate: 5"
    sse, websockets, cable, published = texts.map do |text|
      load("streams: {#{text}}\n").first[:streams]
    end

    assert_equal Mohs::Study::Streams.new(slice_s: 2.0), sse
    assert_equal [50, 1.0, "websocket", 20], websockets.to_a.first(4)
    assert_equal [10, '{"channel":"ChatChannel"}', "say", true, nil], cable.to_a.last(5)
    assert_equal ["sse", 5, nil, nil, true, "/publish"], published.to_a.last(6)
  end

  test "an empty file declares nothing but its own folder" do
    declaration, folder = load("")

    assert_equal({ app: folder }, declaration)
  end

  test "a file that isn't there is a mistake of the command line" do
    error = assert_raises(Mohs::UsageError) { Mohs::Study::File.load("/nowhere/study.yml") }

    assert_said(error.message)
  end

  test "lengths of time have units" do
    texts = ["60", " 60s ", "2m", "1.5 m", "1h", "500ms", 90, "3min", "10.25s"]

    assert_equal [60.0, 60.0, 120.0, 90.0, 3600.0, 0.5, 90.0, 180.0, 10.25],
                 texts.map { |text| Mohs::Study::Duration.parse(text) }
    ["", "0", "-3s", "2 weeks", "x2m", "2mm", "1.m", ".5m", "1.5.5m", "9" * 400, "400h9",
     "9000h"].each do |text|
      assert_raises(Mohs::UsageError) { Mohs::Study::Duration.parse(text) }
    end
  end
end
