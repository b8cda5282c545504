# frozen_string_literal: true

require "test_helper"

# A gate of a real application in a real repository: a change that costs half as much again fails,
# the same revision twice does not.
class GatingRealTest < Mohs::TestCase
  SLOW = <<~RUBY
    run lambda { |_env|
      total = (1..ROUNDS).sum { |one| one % 7 }
      [200, { "content-type" => "text/plain" }, ["total \#{total}"[0, 5]]]
    }
  RUBY

  SERVED = <<~RUBY
    run lambda { |env|
      [%w[PATHS].include?(env["PATH_INFO"]) ? 200 : 404, { "content-type" => "text/plain" }, ["x"]]
    }
  RUBY

  def with_change(before, after)
    with_files do |dir|
      app = File.join(dir, "app")
      theirs = Mohs::GitRepository.new(app)
      theirs.commit("config.ru" => SLOW.sub("ROUNDS", before.to_s))
      theirs.commit("config.ru" => SLOW.sub("ROUNDS", after.to_s), "note" => after.to_s)
      yield app, Mohs::MohsCommand.new(dir)
    end
  end

  def gate(app, command, *options, get: "/")
    command.call("gate", "--app", app, "--base", "HEAD~1", "--head", "HEAD", "--get", get,
                 "--gate", "cpu < +10%", "--budget", "60s", "--quiet", "--json", *options,
                 limit_s: 240)
  end

  slow_test "a change that costs half as much again fails, with a comment" do
    with_change(4000, 8000) do |app, command|
      result = gate(app, command, "--comment", comment = File.join(app, "mohs.md"))

      assert_equal 10, result.status.exitstatus, result.err
      assert_equal ["fails", "cpu"], result.json[:gates].first.values_at(:outcome, :metric)
      assert_operator result.json[:gates].first[:interval].first, :>=, 1.1
      assert_includes File.read(comment), "**fails**"
    end
  end

  slow_test "a page that neither revision serves is a fault of the set-up, a new one is not" do
    with_files do |dir|
      app = File.join(dir, "app")
      theirs = Mohs::GitRepository.new(app)
      theirs.commit("config.ru" => SERVED.sub("PATHS", "/"))
      theirs.commit("config.ru" => SERVED.sub("PATHS", "/ /new"))
      wrong, added = %w[/wrong /new].map { |path| gate(app, Mohs::MohsCommand.new(dir), get: path) }

      assert_equal [1, 11], [wrong, added].map { |one| one.status.exitstatus }
      assert_match(%r{\ANot set up: .*GET /wrong: .*404 Not Found},
                   wrong.json[:sentence])
      refute added.json[:pages].first[:unserved]
    end
  end

  slow_test "a change that costs nothing does not fail" do
    with_change(4000, 4000) do |app, command|
      result = gate(app, command)

      assert_includes [0, 11], result.status.exitstatus, result.err
      refute_equal "fails", result.json[:outcome]
    end
  end
end
