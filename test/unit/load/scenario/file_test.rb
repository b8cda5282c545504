# frozen_string_literal: true

require "test_helper"

class LoadScenarioFileTest < Mohs::TestCase
  USERS = "login,password\r\nanna,\"a,\"\"b\"\"\n\"\r\nberta,c\r\n"

  def load(text, files = {})
    with_files("s.yml" => text, "users.csv" => USERS, **files) do |folder|
      return Mohs::Load::Scenario::File.load(File.join(folder, "s.yml"))
    end
  end

  def fault(text, files = {}) = assert_raises(Mohs::StudyError) { load(text, files) }.message

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

  FAULTS = {
    "actions/1: {b} is neither a variable nor captured before" => "actions: {get: '/{b}'}",
    "actions/2/steps/1: {b} is neither" =>
      "actions: [{get: /, capture: {b: 'a(.+)'}}, {steps: [{get: '/{b}'}]}]",
    "actions/1: {b} is neither" => "actions: [{get: '/{b}', capture: {b: 'a(.+)'}}]",
    "actions/1/capture: b is a variable already" =>
      "variables: {b: 1}\nactions: [{get: /, capture: {b: 'a(.+)'}}]",
    "actions/1/capture/b: the regular expression (.+)" =>
      "actions: [{get: /, capture: {b: '(.+)'}}]",
    "actions/1/capture/b: match and json exclude" =>
      "actions: [{get: /, capture: {b: {match: 'a(.+)', json: /a}}}]",
    "actions/1/capture/b: \"a\" is not a JSON pointer" =>
      "actions: [{get: /, capture: {b: {json: a}}}]",
    "actions/1/capture/b: needs match, json or header" =>
      "actions: [{get: /, capture: {b: {html: true}}}]",
    "actions/1/capture/b/jsn: no such key" => "actions: [{get: /, capture: {b: {jsn: /a}}}]",
    "actions: is missing" => "variables: {a: 1}",
    "actions/1: should have one of get" => "actions: [{weight: 2}]",
    "actions/1: has steps, so get" => "actions: [{get: /, steps: [{get: /}]}]",
    "actions/1/weight: should be at least 1" => "actions: [{get: /, weight: 0}]",
    "actions/1/get: x should begin with a slash" => "actions: [{get: x}]",
    "actions/1: path \"/a b\": write spaces" => "actions: [{get: /a b}]",
    "actions/1/get: has no body" => "actions: [{get: /, body: x}]",
    "actions/1/body: excludes form" => "actions: [{post: /, body: x, form: {a: b}}]",
    "actions/1/expect: 20 is not a valid status" => "actions: [{get: /, expect: 20}]",
    "actions/1/expect: has more than one text" => "actions: [{get: /, expect: [a, b]}]",
    "actions/1/expect: has an empty text" => "actions: [{get: /, expect: ''}]",
    "actions/1/expect: has a text, but a head response has no body" =>
      "actions: [{head: /, expect: a}]",
    "actions/1/think: ends before" => "actions: [{get: /, think: 2s..1s}]",
    "actions/1/think: invalid duration \"soon\"" => "actions: [{get: /, think: soon}]",
    "actions/1/think: is longer than an hour" => "actions: [{get: /, think: 2h}]",
    "actions/1/header: no such key. Did you mean headers?" => "actions: [{get: /, header: {}}]",
    "actions/1: header Content-Length: mohs sets" =>
      "actions: [{get: /, headers: {Content-Length: 3}}]",
    "login/1/expekt: no such key. Did you mean expect?" =>
      "login: [{get: /, expekt: 200}]\nactions: [{get: /}]",
    "variables/a: should have one of csv" => "variables: {a: {per: client}}\nactions: [{get: /}]",
    "variables/a/per: should be action or client" =>
      "variables: {a: {letters: 2, per: day}}\nactions: [{get: /}]",
    "variables/a/letters: should be 1 to 4096" =>
      "variables: {a: {letters: 0}}\nactions: [{get: /}]",
    "variables/a/integer: should be a range" =>
      "variables: {a: {integer: 9..1}}\nactions: [{get: /}]",
    "variables/a/integer: is too wide" =>
      "variables: {a: {integer: 0..4294967296}}\nactions: [{get: /}]",
    "variables/a/csv: no.csv: No such file" =>
      "variables: {a: {csv: no.csv, column: a}}\nactions: [{get: /}]",
    "variables/a/csv: users.csv: no column x. There are: login, password" =>
      "variables: {a: {csv: users.csv, column: x}}\nactions: [{get: /}]",
    "variables/a: needs column" => "variables: {a: {csv: users.csv}}\nactions: [{get: /}]",
    "variables/a-b: should be of letters" => "variables: {a-b: 1}\nactions: [{get: /}]",
    "line 2: " => "actions: [",
  }.freeze

  test "every fault names the file and its key path" do
    FAULTS.each { |message, text| assert_includes fault(text), "s.yml: #{message}", text }
  end

  test "a CSV file that is none is told" do
    text = "variables: {a: {csv: x.csv, column: a}}\nactions: [{get: /}]"
    { "" => "no column a", "a\n" => "no rows", "a,b\n1\n" => "row 2 doesn't have as many fields",
      "a\n\"1" => "a quote is not closed",
      "a\n\"1\"2" => "text after the closing quote" }.each do |csv, reason|
      assert_includes fault(text, "x.csv" => csv), "s.yml: variables/a/csv: x.csv: #{reason}"
    end
  end

  test "JSON pointers are those of RFC 6901" do
    pointer = ->(text) { Mohs::Load::Scenario::Capture.pointer(text) }
    assert_equal [], pointer.call("")
    assert_equal [""], pointer.call("/")
    assert_equal ["a/b", "m~n", "0", ""], pointer.call("/a~1b/m~0n/0/")
    assert_raises(Mohs::UsageError) { pointer.call("/a~2") }
  end
end
