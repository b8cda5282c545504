# frozen_string_literal: true

require "test_helper"

# A Rails application that logs into its own folder by default, measured as it is.
class AppLogTest < Mohs::TestCase
  APP = File.join(Mohs.root, "test/fixtures/apps/rails_log")

  test "its log is not written there, and what it writes all the same is listed" do
    with_files do |dir|
      FileUtils.cp_r(APP, dir)
      app = File.join(dir, "rails_log")
      before = Dir.children(app)
      mohs = Mohs::MohsCommand.new(dir, env: { "XDG_CACHE_HOME" => Mohs::AppProcess::CACHE })
      document = mohs.call("--app", app, "--variant", "#{RUBY_VERSION}, puma:1x2", "--rounds", "1",
                           "--json", limit_s: 600).json
      notes = document[:notes].group_by { |note| note[:name] }

      assert_equal "measured", document[:rows].first[:state]
      assert_equal ["count"], Dir.children(app) - before
      assert_equal [{ path: "count", change: "new", bytes: 1, by: nil }], document[:written]
      assert_match(/: count \(new\)\z/, notes["files"].first[:text])
      assert(notes["app"].any? { |note| note[:text].match?(/ logs \d+ bytes per request/) })
    end
  end
end
