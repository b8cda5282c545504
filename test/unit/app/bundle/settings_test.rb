# frozen_string_literal: true

require "test_helper"

module Mohs
  class BundleSettingsTest < TestCase
    def compose(config: "", env: {}) = App::Bundle::Settings.compose(config:, env:, gems: "/store")

    test "a bundle has a path of its own and leaves out what production does" do
      assert_equal ["/store", "development:test"],
                   compose.values_at("BUNDLE_PATH", "BUNDLE_WITHOUT")
    end

    test "how to build and get gems is taken from the application and the environment" do
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

    test "what would change what is in the bundle is not taken" do
      config = "---\nBUNDLE_PATH: vendor\nBUNDLE_WITHOUT: production\nBUNDLE_FROZEN: true\n" \
               "BUNDLE_PATH__SYSTEM: true\n"
      assert_equal compose,
                   compose(config:,
                           env: { "BUNDLE_DEPLOYMENT" => "1",
                                  "BUNDLE_GEMFILE" => "/x", "PATH" => "/a__b" })
    end

    test "the machine's libraries are used unless the person builds otherwise" do
      assert_equal "--enable-system-libraries", compose["BUNDLE_BUILD__SQLITE3"]
      assert_equal "--no", compose(config: "BUNDLE_BUILD__SQLITE3: --no")["BUNDLE_BUILD__SQLITE3"]
    end

    test "a config file that is none is taken as empty" do
      ["", "- a", "a: [", "text"].each { |config| assert_equal compose, compose(config:) }
    end

    test "what is written is what YAML reads" do
      settings = compose(config: "BUNDLE_GEMS__X: 'me:se\"cr#et'")
      assert_equal settings, YAML.safe_load(App::Bundle::Settings.dump(settings))
    end
  end
end
