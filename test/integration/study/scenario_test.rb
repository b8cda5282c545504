# frozen_string_literal: true

require "test_helper"

# Variants that are measured by a scenario's clients.
class StudyScenarioTest < Mohs::TestCase
  # A login by cookie, without which each page is refused.
  APP = <<~'RUBY'
    run(lambda do |env|
      key = env["HTTP_COOKIE"].to_s[/user=(\w+)/, 1]
      path, password = env["PATH_INFO"], env["rack.input"]&.read.to_s[/password=(\w*)/, 1]
      next [200, { "content-type" => "text/plain" }, ["hello"]] if path == "/"

      if path == "/login"
        next [403, {}, ["wrong password"]] unless password == ENV.fetch("PASSWORD")

        next [302, { "set-cookie" => "user=ann; path=/", "location" => "/" }, []]
      end
      key ? [200, { "content-type" => "text/plain" }, ["page of #{key}"]] : [401, {}, ["who?"]]
    end)
  RUBY
  SCENARIO = <<~YAML
    login: [{post: /login, form: {password: opensesame}, expect: 302}]
    actions:
      - {name: read, weight: 3, get: /read, expect: page of ann}
      - {name: two, steps: [{get: /one}, {get: /two}]}
  YAML
  STUDY = <<~YAML
    scenario: forum.yml
    connections: 3
    rounds: 1
    variants:
      - "good::#{RUBY_VERSION}, puma:1x3, PASSWORD=opensesame"
      - "other::#{RUBY_VERSION}, puma:1x3, PASSWORD=another"
  YAML
  FILES = { "config.ru" => APP, "forum.yml" => SCENARIO, "study.yml" => STUDY }.freeze

  def rows(result) = result.json[:rows].to_h { |row| [row[:variant], row] }

  test "clients log in, a rate is of their steps, and who lets none in is refused" do
    with_files(FILES) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      result = mohs.call("run", "study.yml", "--json")
      good, other = rows(result).values_at("good", "other")
      checks = good[:checks].to_h { |check| check.values_at(:name, :detail) }

      assert_equal %w[measured refused], [good, other].map { |row| row[:state] }, result.err
      assert_operator good[:throughput_per_s][:value], :>, 0
      assert_equal 0, good[:errors][:total]
      assert_match(/as its step of the scenario expects/, checks["answers"])
      assert_match(/3 of 3 clients could not log in .POST .login: wrong_status 3/, other[:reason])
      assert_match(/status 403: wrong password/, other[:reason])
      refute_includes result.out, "opensesame"
      assert_equal ["forum.yml"], result.json[:requested]
      assert_includes mohs.call("show", result.json[:run]).out,
                      "each connection was a client that followed forum.yml"
    end
  end

  test "the command line names one too; a step that is answered wrong makes the server invalid" do
    wrong = SCENARIO.sub("page of ann", "page of bob")
    variant = "it::#{RUBY_VERSION}, puma:1x3, PASSWORD=opensesame"
    with_files(FILES.slice("config.ru").merge("mine.yml" => wrong)) do |dir|
      result = Mohs::MohsCommand.new(dir).call("--scenario", "mine.yml", "--variant", variant,
                                               "--rounds", "1", "--connections", "2", "--json")
      row = rows(result)["it"]

      assert_equal "invalid", row[:state]
      assert_match(/missing.text/, row[:reason])
    end
  end
end
