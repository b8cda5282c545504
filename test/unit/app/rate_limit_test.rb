# frozen_string_literal: true

require "test_helper"

class RateLimitTest < Mohs::TestCase
  def limit(files, status: 429)
    reason = Mohs::Reason.new(code: "error_status", values: { status: })
    with_files(files) { |dir| Mohs::App::RateLimit.complete(reason, dir:).values[:limit] }
  end

  ATTACK = <<~RUBY
    # throttle("x") by ENV["UNUSED"]
    class Rack::Attack
      throttle("req/ip", limit: ENV.fetch("LIMIT", 5).to_i, period: 60) { |req| req.ip }
      throttle("logins", limit: ENV["LIMIT"] || ENV["LOGINS"], period: 60) { |req| req.ip }
    end
  RUBY

  test "the first place that limits the rate, and the variables that its file reads" do
    found = { line: 3, variables: %w[LIMIT LOGINS] }

    assert_equal({ file: "config/initializers/a.rb", **found },
                 limit({ "config/initializers/a.rb" => ATTACK, "app/b.rb" => ATTACK,
                         "config/a.rb" => ATTACK }))
    assert_equal({ file: "lib/b.rb", **found }, limit({ "lib/b.rb" => ATTACK }))
    assert_equal({ file: "lib/b.rb", line: 1, variables: [] },
                 limit({ "lib/b.rb" => "Rack::Attack.throttle('x') { 1 }" }))
  end

  test "links that lead nowhere and folders are passed over" do
    reason = Mohs::Reason.new(code: "error_status", values: { status: 429 })
    with_files("lib/folder.rb/c.rb" => "1", "lib/z.rb" => ATTACK) do |dir|
      File.symlink("/nowhere", File.join(dir, "lib/a.rb"))
      assert_equal "lib/z.rb",
                   Mohs::App::RateLimit.complete(reason, dir:).values.dig(:limit, :file)
    end
  end

  test "no other response, and no other code, is about it" do
    assert_nil limit({ "lib/b.rb" => ATTACK }, status: 403)
    assert_nil limit({ "lib/b.rb" => "bus.throttled(1)\n# throttle(1)" })
  end
end
