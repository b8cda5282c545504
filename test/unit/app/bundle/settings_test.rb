# frozen_string_literal: true

require "test_helper"
require "bundler"
require "bundler/yaml_serializer"

module Mohs
  class BundleSettingsTest < TestCase
    def compose(config: "", env: {}, user: "")
      App::Bundle::Settings.compose(given(config:, env:, user:))
    end

    def given(config: "", env: {}, user: "", app: "/app")
      texts = { "#{app}/.bundle/config" => config, "/home/me/.bundle/config" => user }
      env = { "HOME" => "/home/me", **env }
      App::Bundle::Settings.given(dir: "/app", env:) { |path| texts.fetch(path, "") }
    end

    test "a bundle's gems are where its environment says, without development and test" do
      assert_equal ["true", "development:test"],
                   compose.values_at("BUNDLE_PATH__SYSTEM", "BUNDLE_WITHOUT")
    end

    def paths(**options) = App::Bundle::Settings.paths(given(**options), "/app")

    test "the application's own bundle is where it says, the person's shell, or in vendor/bundle" do
      assert_equal %w[/app/gems /app/vendor/bundle],
                   paths(config: "BUNDLE_PATH: gems\n", env: { "BUNDLE_PATH" => "/cache/gems" })
      assert_equal %w[/cache/gems /app/vendor/bundle],
                   paths(env: { "BUNDLE_PATH" => "/cache/gems" })
      assert_equal %w[/all /app/vendor/bundle], paths(user: "BUNDLE_PATH: /all\n")
      assert_equal ["/app/vendor/bundle"], paths
    end

    test "the groups that are left out are left out, besides development and test" do
      { "mysql" => "development:test:mysql", "mysql:development" => "development:test:mysql",
        "a b" => "development:test:a:b", "" => "development:test" }.each do |own, without|
        assert_equal without, compose(config: "BUNDLE_WITHOUT: \"#{own}\"\n")["BUNDLE_WITHOUT"], own
      end
      assert_equal "development:test:a:b",
                   compose(config: "BUNDLE_WITHOUT:\n- a\n- b\n")["BUNDLE_WITHOUT"]
    end

    test "what is served is never left out, whatever a development machine leaves out" do
      assert_equal "development:test:a",
                   compose(config: "BUNDLE_WITHOUT: production:a:default")["BUNDLE_WITHOUT"]
    end

    test "optional groups are taken, but those of development and test" do
      settings = compose(config: "BUNDLE_WITH: \"test:redis\"\nBUNDLE_ONLY: \"production:test\"\n")

      assert_equal ["redis", "default:production"],
                   settings.values_at("BUNDLE_WITH", "BUNDLE_ONLY")
      refute compose(config: "BUNDLE_WITH: test\n").key?("BUNDLE_WITH")
    end

    test "settings are the application's, then the shell's, then the person's, as for Bundler" do
      given = { config: "BUNDLE_WITHOUT: a", env: { "BUNDLE_WITHOUT" => "b" },
                user: "BUNDLE_WITHOUT: c\nBUNDLE_BUILD__X: \"--y\"\n" }
      found = [given, given.except(:config), given.slice(:user)].map { |some| compose(**some) }

      assert_equal(%w[a b c], found.map { |one| one["BUNDLE_WITHOUT"].split(":").last })
      assert_equal(["--y"], found.map { |one| one["BUNDLE_BUILD__X"] }.uniq)
    end

    test "the files are where the shell says, as for Bundler" do
      asked = ->(env) do
        [].tap { |all| App::Bundle::Settings.given(dir: "/app", env:) { |path| all << path; "" } }
      end

      assert_equal %w[/home/me/.bundle/config /app/.bundle/config],
                   asked.call("HOME" => "/home/me", "BUNDLE_APP_CONFIG" => "")
      assert_equal %w[/me/config /image/config],
                   asked.call("HOME" => "/home/me", "BUNDLE_USER_HOME" => "/me",
                              "BUNDLE_APP_CONFIG" => "/image")
      assert_equal %w[/me.config /app/own/config],
                   asked.call("BUNDLE_USER_CONFIG" => "/me.config", "BUNDLE_USER_HOME" => "/me",
                              "BUNDLE_APP_CONFIG" => "own")
      assert_equal %w[/app/.bundle/config], asked.call({})
    end

    test "how gems are fetched is the person's choice" do
      user = "BUNDLE_SSL_CA_CERT: /ca.pem\nBUNDLE_JOBS: \"1\"\n" \
             "BUNDLE_HTTPS://GEMS__X__COM/: me:secret\n"

      assert_equal ["/ca.pem", "1", "me:secret"],
                   compose(user:).values_at("BUNDLE_SSL_CA_CERT", "BUNDLE_JOBS",
                                            "BUNDLE_HTTPS://GEMS__X__COM/")
    end

    test "how extensions are built is the part that distinguishes what was compiled" do
      own = compose(config: "BUNDLE_BUILD__PG: --x\nBUNDLE_BUILD__SQLITE3: --y\nBUNDLE_JOBS: 1\n")

      assert_equal({ "BUNDLE_BUILD__PG" => "--x", "BUNDLE_BUILD__SQLITE3" => "--y" },
                   App::Bundle::Settings.flags(own))
      assert_equal App::Bundle::Settings.flags(own).to_a,
                   App::Bundle::Settings.flags(own.to_a.reverse.to_h).to_a
      assert_empty App::Bundle::Settings.flags(compose)
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
      config = "---\nBUNDLE_PATH: vendor\nBUNDLE_FROZEN: true\nBUNDLE_BIN: bin\n" \
               "BUNDLE_PATH__SYSTEM: false\nBUNDLE_CLEAN: true\nBUNDLE_CACHE_PATH: x\n"
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

    test "a line that Bundler can't read costs only itself" do
      settings = compose(config: "---\nBUNDLE_GEMS__X: \"u:p\\\#$w\"\nBUNDLE_A__B: \"\0\"\n" \
                                 "nonsense\n  - alone\nBUNDLE_WITHOUT: \"metrics\" # heavy\r\n" \
                                 "BUNDLE_JOBS: 2 # cores\nBUNDLE_WITH: []\nBUNDLE_C__D:\n")

      assert_equal ["development:test:metrics", "2", "u:p\\\#$w", ""],
                   settings.values_at("BUNDLE_WITHOUT", "BUNDLE_JOBS", "BUNDLE_GEMS__X",
                                      "BUNDLE_C__D")
      assert_empty settings.keys & %w[BUNDLE_A__B BUNDLE_WITH]
    end

    test "Bundler reads each setting as the user gave it" do
      values = ["u:p", %q(u:pa"s\s), '--with-cflags="-O2"', "'x'", '"', "u:\\n", "", "u:p#w",
                "a: b", "two\nlines", "u:\u00e9", "u:\xff"]
      values.each do |value|
        settings = compose(config: "BUNDLE_GEMS__X: kept\n", env: { "BUNDLE_BUILD__X" => value })
        expected = value.empty? ? settings : settings.merge("BUNDLE_BUILD__X" => value)
        assert_equal expected, received(settings), value.inspect
      end
    end

    # What Bundler gets from its file and its environment. Newer ones cut a value off at a "#".
    def received(settings)
      text = App::Bundle::Settings.dump(settings)
      refute_includes text, "#"
      assert_predicate text, :ascii_only?
      { **::Bundler::YAMLSerializer.load(text), **App::Bundle::Settings.environment(settings) }
    end

    test "the values that a file can hold are not in the environment" do
      settings = compose(user: "BUNDLE_GEMS__X: \"me:se'cr\"\n")
      assert_empty App::Bundle::Settings.environment(settings)
    end

    test "a gem source's host may have no dot, or a dash" do
      user = "BUNDLE_GEMS: \"me:secret\"\nBUNDLE_MY-GEMS__EXAMPLE__COM: token\nBUNDLE_BIN: bin\n" \
             "BUNDLE_ONLY: \"a:b\"\nBUNDLE_PATH: \"a:b\"\nBUNDLE_CACHE_PATH: \"/a:b\"\n"
      settings = compose(user:)

      assert_equal ["me:secret", "token", "default:a:b"],
                   settings.values_at("BUNDLE_GEMS", "BUNDLE_MY-GEMS__EXAMPLE__COM", "BUNDLE_ONLY")
      assert_empty settings.keys & %w[BUNDLE_BIN BUNDLE_PATH BUNDLE_CACHE_PATH]
    end

    test "a name can't write a second setting" do
      ["BUNDLE_X__Y\nBUNDLE_PATH", "BUNDLE_X__Y: a", "BUNDLE_X__\tY", "BUNDLE_X__#",
       "BUNDLE_X__\xff\n"].each do |name|
        assert_equal compose, compose(env: { name => "/other" }), name.inspect
        assert_equal compose, compose(config: "#{name.inspect}: \"/other\"\n"), name.inspect
      end
    end

    test "credentials are what is set for a host, but no path, word, number or option" do
      credentials = { "BUNDLE_A__DEV" => "me:Pa55", "BUNDLE_HTTPS://B__DEV/" => "t0ken:",
                      "BUNDLE_C__DEV" => "T:x-oauth-basic" }
      others = { "BUNDLE_BUILD__PG" => "--with-x=1", "BUNDLE_JOBS" => "2", "BUNDLE_WITH" => "a:b-c",
                 "BUNDLE_WITHOUT" => "a:b-c", "BUNDLE_MIRROR__HTTPS://A__DEV/" => "https://m",
                 "BUNDLE_SSL_CA_CERT" => "/ca.pem", "BUNDLE_PATH__SYSTEM" => "true" }

      assert_equal ["me:Pa55", "Pa55", "t0ken:", "t0ken", "T:x-oauth-basic", "T", "x-oauth-basic"],
                   App::Bundle::Settings.credentials({ **credentials, **others })
    end
  end
end
