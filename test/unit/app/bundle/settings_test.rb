# frozen_string_literal: true

require "test_helper"

module Mohs
  class BundleSettingsTest < TestCase
    def compose(config: "", env: {}) = App::Bundle::Settings.compose(config:, env:)

    test "a bundle's gems are where its environment says, without development and test" do
      assert_equal ["true", "development:test"],
                   compose.values_at("BUNDLE_PATH__SYSTEM", "BUNDLE_WITHOUT")
    end

    test "the application's own bundle is where it says, the person's shell, or in vendor/bundle" do
      paths = App::Bundle::Settings.paths(config: "BUNDLE_PATH: gems\n", dir: "/app",
                                          env: { "BUNDLE_PATH" => "/cache/gems" })
      assert_equal %w[/app/gems /cache/gems /app/vendor/bundle], paths
      assert_equal ["/app/vendor/bundle"], App::Bundle::Settings.paths(config: "", dir: "/app",
                                                                       env: {})
    end

    test "whoever wants no precompiled gems gets none" do
      settings = compose(config: "BUNDLE_FORCE_RUBY_PLATFORM: \"true\"\n")
      assert_equal "true", settings["BUNDLE_FORCE_RUBY_PLATFORM"]
    end

    test "settings for building and fetching gems come from the application and the environment" do
      config = "---\nBUNDLE_BUILD__PG: --with-pg-config=/x\nBUNDLE_GEMS__EXAMPLE__COM: me:secret\n"
      settings = compose(config:,
                         env: {
                           "BUNDLE_MIRROR__HTTPS://RUBYGEMS__ORG/" => "https://m",
                             "BUNDLE_BUILD__PG" => "no",
                         })
      assert_equal ["--with-pg-config=/x", "me:secret"],
                   settings.values_at("BUNDLE_BUILD__PG", "BUNDLE_GEMS__EXAMPLE__COM")
      assert_equal "https://m", settings["BUNDLE_MIRROR__HTTPS://RUBYGEMS__ORG/"]
    end

    test "settings that would change the bundle's content are not taken over" do
      config = "---\nBUNDLE_PATH: vendor\nBUNDLE_WITHOUT: production\nBUNDLE_FROZEN: true\n" \
               "BUNDLE_PATH__SYSTEM: true\n"
      assert_equal compose,
                   compose(config:,
                           env: { "BUNDLE_DEPLOYMENT" => "1",
                                  "BUNDLE_GEMFILE" => "/x", "PATH" => "/a__b" })
    end

    test "the machine's libraries are used unless the person sets otherwise" do
      assert_equal "--enable-system-libraries", compose["BUNDLE_BUILD__SQLITE3"]
      assert_equal "--no", compose(config: "BUNDLE_BUILD__SQLITE3: --no")["BUNDLE_BUILD__SQLITE3"]
    end

    test "an invalid config file counts as empty" do
      ["", "- a", "a: [", "text"].each { |config| assert_equal compose, compose(config:) }
    end

    test "the written file is valid YAML" do
      settings = compose(config: "BUNDLE_GEMS__X: 'me:se\"cr#et'")
      assert_equal settings, YAML.safe_load(App::Bundle::Settings.dump(settings))
    end
  end
end
