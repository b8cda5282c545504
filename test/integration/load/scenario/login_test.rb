# frozen_string_literal: true

require "test_helper"

# The clients of one target among several log in: those of a cohort's trials do so one after the
# other, each on the driver thread that loads it.
class LoadLoginTest < Mohs::TestCase
  STEPS = <<~'YAML'
    variables: {user: {list: [ann, bob, cid], per: client}}
    login:
      - get: /login
        capture: {token: {match: 'name="token" value="([^"]+)"', html: true}}
      - post: /login
        form: {user: "{user}", password: "{user}!", token: "{token}"}
        expect: 302
    actions: [{get: /read}]
  YAML

  def with_two
    with_files("forum.yml" => STEPS) do |folder|
      scenario = Mohs::Load::Scenario::File.load(File.join(folder, "forum.yml"))
      Mohs::Forum.open do |one|
        Mohs::Forum.open do |other|
          driver = Mohs::Drivers::Native.new(targets: targets([one, other], scenario), threads: 2)
          yield driver, scenario, one, other
        ensure
          driver&.close
        end
      end
    end
  end

  def targets(forums, scenario)
    forums.each_with_index.map do |forum, index|
      Mohs::Load::Target.new(name: "forum", host: "127.0.0.1", port: forum.port, connections: 3,
                             scenario:, workers: [index])
    end
  end

  def log_in(driver, scenario, target)
    redact = Mohs::Secrets::Redaction.new([])
    Mohs::Load::Login.new(driver, scenario, redact:, target:).call
  end

  test "those of each target log in to its own server, and then read there" do
    with_two do |driver, scenario, one, other|
      second = log_in(driver, scenario, 1)

      assert_equal [3, 3, [], %w[ann bob cid]],
                   [second.actions, second.finished, one.logins, other.logins.sort]
      log_in(driver, scenario, 0)
      results = driver.run([Mohs::Load::Step.new(targets: [0, 1], count: 6)])

      assert_equal [[6, {}], [6, {}]], results.map { |result| [result.good, result.errors] }
      assert_equal [9, 3], [one.requests.size - 3, one.logins.size]
    end
  end

  test "a failure names the requests of its target" do
    with_two do |driver, scenario, _one, other|
      other.stop
      error = assert_raises(Mohs::TrialError) { log_in(driver, scenario, 1) }

      assert_match(%r{\A3 of 3 clients .*\(GET /login: }, error.reason.summary)
    end
  end
end
