# frozen_string_literal: true

require "test_helper"

class LoadScenarioFileTest < Mohs::TestCase
  include Mohs::Screens

  USERS = "login,password\r\nanna,\"a,\"\"b\"\"\n\"\r\nberta,c\r\n"

  def load(text, files = {})
    with_files("s.yml" => text, "users.csv" => USERS, **files) do |folder|
      return Mohs::Load::Scenario::File.load(File.join(folder, "s.yml"))
    end
  end

  def fault(text, files = {}) = assert_raises(Mohs::StudyError) { load(text, files) }

  test "its secrets are what secret fields hold, as values of variables or as written" do
    scenario = load(<<~YAML)
      variables:
        user: {csv: users.csv, column: login}
        pw: {csv: users.csv, column: password}
        api_key: {list: [k3y-one, k3y-two]}
      login:
        - post: /login?token=t0ken
          form: {user: "{user}", password: "{pw}"}
      actions:
        - get: /{api_key}
          headers: {Authorization: Bearer fix3d}
    YAML

    assert_equal ["{pw}", "t0ken", "Bearer fix3d", "a,\"b\"\n", "c", "k3y-one", "k3y-two"].sort,
                 scenario.secrets.sort
  end

  test "the annotated example is a scenario itself" do
    scenario = load(Mohs::Study::Sections.text("scenario"))

    assert_equal ["GET /login", "POST /login"], scenario.steps[scenario.login.steps].map(&:to_s)
    assert_equal({ "read" => 80, "latest" => 10, "reply" => 7, "open" => 3 },
                 scenario.actions.to_h { |action| [action.name, action.weight] })
    assert_equal [2...3, 3...4, 4...7, 7...10], scenario.actions.map(&:steps)
    assert_equal [[200], [302], [302, 303], [201]], scenario.steps.map(&:expect).uniq
    assert_equal [nil, "Reply"], scenario.steps.map(&:text).uniq
    assert_equal "Reply", scenario.requests[6].check.text
    assert_equal [0..0, 0.5..2.0, 0.5..0.5], scenario.steps.map(&:think).uniq
    assert_equal ["anna", "berta"], scenario.variables["user"].values
    assert_equal ["a,\"b\"\n", "c"], scenario.variables["password"].values
    captured = scenario.variables.select { |_, one| one.kind == :captured }
    assert_equal %w[token newest place], captured.keys
    assert_predicate scenario, :frozen?
  end

  test "requests are made of literals and variables, each escaped for its place" do
    scenario = load(<<~YAML)
      variables: {a: {letters: 3}, site: x y}
      headers: {X-A: "{a}"}
      actions:
        - post: /{a}/b?c={a}
          form: {"t[{x}] ä": "{a} &ü"}
        - post: "/json"
          body: '{"a": "{a}", "b": {}}'
    YAML
    numbers = { "a" => 0, "site" => 1 }
    step = scenario.steps.first.packed(numbers, host: "h:1", close: false)
    head, body = step.values_at(:head, :body)
    assert_equal "POST /\0path/b?c=\0form HTTP/1.1\r\nHost: h:1\r\nX-A: \0header\r\n" \
                 "Content-Type: application/x-www-form-urlencoded\r\n", shown(head)
    assert_equal "t%5B%7Bx%7D%5D+%C3%A4=\0form+%26%C3%BC", shown(body)
    step = scenario.steps.last.packed(numbers, host: "h:1", close: true)
    head, body = step.values_at(:head, :body)
    assert_match(%r{Connection: close\r\n.*Content-Type: application/json\r\n\z}m, shown(head))
    assert_equal '{"a": "' + "\0json" + '", "b": {}}', shown(body)
  end

  # Variables as their escapes.
  def shown(parts)
    parts.map { |part|
      "#{part[:literal]}#{"\0#{part[:escape]}" if part[:variable]}"
    }.join.b
  end

  # A file => where it is at fault. What is said about it: mistakes-scenario.txt.
  FAULTS = {
    "actions: {get: '/{b}'}" => "actions/1",
    "actions: [{get: /, capture: {b: 'a(.+)'}}, {steps: [{get: '/{b}'}]}]" => "actions/2/steps/1",
    "actions: [{get: '/{b}', capture: {b: 'a(.+)'}}]" => "actions/1",
    "variables: {b: 1}\nactions: [{get: /, capture: {b: 'a(.+)'}}]" => "actions/1/capture",
    "actions: [{get: /, capture: {b: '(.+)'}}]" => "actions/1/capture/b",
    "actions: [{get: /, capture: {b: {match: 'a(.+)', json: /a}}}]" => "actions/1/capture/b",
    "actions: [{get: /, capture: {b: {json: a}}}]" => "actions/1/capture/b",
    "actions: [{get: /, capture: {b: {html: true}}}]" => "actions/1/capture/b",
    "actions: [{get: /, capture: {b: {jsn: /a}}}]" => "actions/1/capture/b/jsn",
    "variables: {a: 1}" => "actions",
    "actions: [{weight: 2}]" => "actions/1",
    "actions: [{get: /, steps: [{get: /}]}]" => "actions/1",
    "actions: [{get: /, weight: 0}]" => "actions/1/weight",
    "actions: [{get: x}]" => "actions/1/get",
    "actions: [{get: /a b}]" => "actions/1",
    "actions: [{get: /, body: x}]" => "actions/1/get",
    "actions: [{post: /, body: x, form: {a: b}}]" => "actions/1/body",
    "actions: [{get: /, expect: 20}]" => "actions/1/expect",
    "actions: [{get: /, expect: [a, b]}]" => "actions/1/expect",
    "actions: [{get: /, expect: ''}]" => "actions/1/expect",
    "actions: [{head: /, expect: a}]" => "actions/1/expect",
    "actions: [{get: /, think: 2s..1s}]" => "actions/1/think",
    "actions: [{get: /, think: soon}]" => "actions/1/think",
    "actions: [{get: /, think: 2h}]" => "actions/1/think",
    "actions: [{get: /, header: {}}]" => "actions/1/header",
    "actions: [{get: /, headers: {Content-Length: 3}}]" => "actions/1",
    "login: [{get: /, expekt: 200}]\nactions: [{get: /}]" => "login/1/expekt",
    "variables: {a: {per: client}}\nactions: [{get: /}]" => "variables/a",
    "variables: {a: {letters: 2, per: day}}\nactions: [{get: /}]" => "variables/a/per",
    "variables: {a: {letters: 0}}\nactions: [{get: /}]" => "variables/a/letters",
    "variables: {a: {integer: 9..1}}\nactions: [{get: /}]" => "variables/a/integer",
    "variables: {a: {integer: 0..4294967296}}\nactions: [{get: /}]" => "variables/a/integer",
    "variables: {a: {csv: no.csv, column: a}}\nactions: [{get: /}]" => "variables/a/csv",
    "variables: {a: {csv: users.csv, column: x}}\nactions: [{get: /}]" => "variables/a/csv",
    "variables: {a: {csv: users.csv}}\nactions: [{get: /}]" => "variables/a",
    "variables: {a-b: 1}\nactions: [{get: /}]" => "variables/a-b",
    "actions: [" => "line 2",
  }.freeze

  test "every fault names the file and its key path" do
    faults = FAULTS.to_h { |text, _| [text, fault(text)] }

    assert_equal(FAULTS.transform_values { |place| "s.yml: #{place}" },
                 faults.transform_values(&:key_path))
    own = faults.reject { |_, error| error.cause.is_a?(Psych::Exception) }
    assert_told "mistakes-scenario", own.transform_values(&:message)
  end

  test "a CSV file that is none is told" do
    text = "variables: {a: {csv: x.csv, column: a}}\nactions: [{get: /}]"
    files = ["", "a\n", "a,b\n1\n", "a\n\"1", "a\n\"1\"2"]
    faults = files.to_h { |csv| [csv.inspect, fault(text, "x.csv" => csv)] }

    assert_equal ["s.yml: variables/a/csv"], faults.values.map(&:key_path).uniq
    assert_told "mistakes-csv", faults.transform_values(&:detail)
  end

  test "JSON pointers are those of RFC 6901" do
    pointer = ->(text) { Mohs::Load::Scenario::Capture.pointer(text) }
    assert_equal [], pointer.call("")
    assert_equal [""], pointer.call("/")
    assert_equal ["a/b", "m~n", "0", ""], pointer.call("/a~1b/m~0n/0/")
    assert_raises(Mohs::UsageError) { pointer.call("/a~2") }
  end
end
