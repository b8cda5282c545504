# frozen_string_literal: true

require "test_helper"

class StudyFileTest < Mohs::TestCase
  def load(text, files = {})
    with_files("study.yml" => text, **files) do |folder|
      return Mohs::Study::File.load(File.join(folder, "study.yml")), folder
    end
  end

  SCENARIO = "actions:\n  - get: /\n"

  def fault(text) = assert_raises(Mohs::StudyError) { load(text) }.message

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
    assert_match(/\Astudy.yml: scenario: scenario .*none.yml or .*none.yml not found/,
                 fault("scenario: none.yml"))
  end

  test "the pages of gates are requests with limits, and know their place" do
    text = "gates:\n  - get: /a\n    limits: cpu < 2%\n  - post: /b\n    name: order\n" \
           "    limits: [p50 < 3%, memory < 5%]\n    headers: {Accept: text/html}\n"
    one, two = load(text).first[:gates]

    assert_equal ["GET /a", ["cpu < 2%"], "study.yml: gates/1"],
                 [one.name, one.limits, one.place]
    assert_equal ["order", "POST", { "Accept" => "text/html" }, ["p50 < 3%", "memory < 5%"]],
                 [two.name, two.request.method, two.request.headers, two.limits]
    assert_equal ["GET /a"], load("gates: {get: /a}").first[:gates].map(&:name)
    assert_match(%r{\Astudy.yml: gates/1: should have one of get, }, fault("gates: [{name: x}]"))
    assert_match(%r{\Astudy.yml: gates/1: path "a": must begin}, fault("gates: [{get: a}]"))
    assert_match(%r{\Astudy.yml: gates/1/limit: no such key}, fault("gates: [{get: /, limit: x}]"))
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

  # A file => the message that it gives.
  FAULTS = {
    "variants:\n  - 3.4.5\n  - server: pumaa:2x5\n" =>
      'study.yml: variants/2/server: unknown server "pumaa". Did you mean puma?',
    "variants: [\"3.4.5, pumaa:1\"]\n" =>
      'study.yml: variants/1: unknown server "pumaa". Did you mean puma?',
    "variants: [{server: 3}]\n" => 'study.yml: variants/1/server: unknown server "3".',
    "variants: [{server: ''}]\n" => 'study.yml: variants/1/server: unknown server "".',
    "matrix: {servers: ['']}\n" => 'study.yml: matrix/servers/1: unknown server "".',
    "matrix:\n  servers: [puma:1x5, \"puma:x\"]\n" =>
      "study.yml: matrix/servers/2: puma:x: write puma:2 or puma:2x5",
    "variants: [{front: ngnix}]\n" =>
      'study.yml: variants/1/front: unknown front "ngnix". Did you mean nginx?',
    "matrix: {front: [\"\", caddy]}\n" => 'study.yml: matrix/front/2: unknown front "caddy"',
    "roundz: 3\n" => "study.yml: roundz: no such key. Did you mean rounds?",
    "zzzzzz: 3\n" => "study.yml: zzzzzz: no such key. Known: app, env, own_config, own_jit",
    "matrix:\n  rubie: 3.4.5\n" => "study.yml: matrix/rubie: no such key. Did you mean rubies?",
    "rounds: many\n" => 'study.yml: rounds: should be a whole number, not "many"',
    "profile: cpu\n" => 'study.yml: profile: should be true or false, not "cpu"',
    "cold_start: 64\n" => 'study.yml: cold_start: cold start "64": write the number of batches',
    "cold_start: 9x1024\n" =>
      'study.yml: cold_start: cold start "9x1024": write the number of batches, at least 10',
    "cold_start: 64x0\n" => 'study.yml: cold_start: cold start "64x0": write',
    "cores: half\n" => 'study.yml: cores: cores "half": write how many',
    "rounds: 0\n" => "study.yml: rounds: should be at least 1",
    "own_config: 1\n" => "study.yml: own_config: should be true or false, not 1",
    "env: [A]\n" => "study.yml: env: should be a map, not a list",
    "env:\n  A: [1]\n" => "study.yml: env/A: should be text, not [1]",
    "app: {}\n" => "study.yml: app: should be text, not a map",
    "budget: soon\n" => 'study.yml: budget: invalid duration "soon"',
    "requests:\n  - get: /a\n  - post: b\n" => "study.yml: requests/2: path",
    "requests:\n  - weight: 2\n" => "study.yml: requests/1: should have one of get, head, post",
    "requests:\n  - post: /a\n    body_file: none.json\n" =>
      "study.yml: requests/1/body_file: No such file",
    "requests: 3\n" => "study.yml: requests: should be a list, not 3",
    "- a\n" => "study.yml: the whole: should be a map, not a list",
    "a: [\n" => "study.yml: line ",
    "app: \"\\xFF\n" => "study.yml: line ",
    "b: &x 1\nrounds: *x\n" => "study.yml: the whole: ",
    "rounds: 2020-01-01\n" => "study.yml: the whole: Tried to load unspecified class: Date",
    "rounds: 2.5\n" => "study.yml: rounds: should be a whole number, not 2.5",
    "seed: -1\n" => "study.yml: seed: should be at least 0",
    "connections: 0\n" => "study.yml: connections: should be at least 1",
    "budget: -1\n" => 'study.yml: budget: invalid duration "-1"',
    "variants: []\n" => "study.yml: variants: is an empty list: leave the key out",
    "matrix: {rubies: []}\n" => "study.yml: matrix/rubies: is an empty list",
    "requests: []\n" => "study.yml: requests: is an empty list",
    "variants: [~, 3.4.5]\n" => "study.yml: variants/1: should be text or a map, not nil",
    "variants: [\"3.4.5, A='b\"]\n" =>
      "study.yml: variants/1: variant \"A='b\": a quote is not closed.",
    "variants: [{flags: \"a'b\"}]\n" =>
      "study.yml: variants/1/flags: \"a'b\": a quote is not closed.",
    "variants: [{ruby: [3.4]}]\n" => "study.yml: variants/1/ruby: should be text, not a list",
    "variants: [{rubi: 3.4}]\n" => "study.yml: variants/1/rubi: no such key. Did you mean ruby?",
    "variants: [{env: 3}]\n" => "study.yml: variants/1/env: should be a map, not 3",
    "matrix: {flags: [--yjit, \"'\"]}\n" =>
      "study.yml: matrix/flags/2: \"'\": a quote is not closed.",
    "matrix: {env: [{A: {}}]}\n" => "study.yml: matrix/env/1/A: should be text, not {}",
    "matrix: [3.4]\n" => "study.yml: matrix: should be a map, not a list",
    "requests: [{get: /, post: /}]\n" =>
      "study.yml: requests/1: should have one of get, head, post",
    "requests: [{get: /, weight: 0}]\n" =>
      "study.yml: requests/1: weight 0: must be a positive integer",
    "requests: [{get: /, headers: {Connection: close}}]\n" =>
      "study.yml: requests/1: header Connection: mohs sets it itself",
    "requests: [{get: /, expect: [a]}]\n" =>
      "study.yml: requests/1/expect: should be text, not a list",
    "services: [postgres]\n" =>
      "study.yml: services/1: unknown service \"postgres\". Did you mean postgresql?",
    "services: [redis, {postgresql: 'redis://:hunter2@x'}]\n" =>
      "study.yml: services/2: not an address of PostgreSQL: write postgresql://...",
    "listen: 10.0.0.2\n" => "study.yml: listen: is for load_from: HOST",
    "load_from: lab@b\nlisten: eth0\n" => "study.yml: load_from: invalid address \"eth0\"",
    "services: {redis: [a]}\n" => "study.yml: services/redis: should be text, not [\"a\"]",
    "1: 2\n" => "study.yml: 1: no such key. Known: app",
  }.freeze

  FAULTS.each_with_index do |(text, message), index|
    test "fault #{index + 1} is told with its place: #{text.inspect}" do
      assert_includes fault(text), message
    end
  end

  test "services are private ones by their names, or the person's own by their addresses" do
    text = "services: [postgresql, {redis: 'redis://x'}]\nenv: {A: 1}\n"

    assert_equal [%w[postgresql], { "REDIS_URL" => "redis://x", "A" => "1" }],
                 load(text).first.values_at(:services, :env)
    assert_equal [nil, { "REDIS_URL" => "redis://x" }],
                 load("services: {redis: 'redis://x'}\n").first.values_at(:services, :env)
    assert_equal %w[redis], load("services: redis\n").first[:services]
  end

  test "an empty file declares nothing but its own folder" do
    declaration, folder = load("")

    assert_equal({ app: folder }, declaration)
  end

  test "a file that isn't there is a mistake of the command line" do
    error = assert_raises(Mohs::UsageError) { Mohs::Study::File.load("/nowhere/study.yml") }

    assert_includes error.message, "study file /nowhere/study.yml not found"
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
