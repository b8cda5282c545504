# frozen_string_literal: true

require "test_helper"

module Mohs
  class StoreLocationTest < TestCase
    HOME = { "HOME" => Dir.tmpdir }.freeze
    USUAL = File.join(Dir.tmpdir, ".local/share/mohs/mohs.db")

    test "without a word the store is a file in the person's data folder" do
      assert_equal USUAL, at(nil, HOME).path
      assert_equal "/data/mohs/mohs.db", at(nil, **HOME, "XDG_DATA_HOME" => "/data").path
    end

    test "a relative XDG_DATA_HOME is ignored, as its specification wants" do
      assert_equal USUAL, at("", **HOME, "XDG_DATA_HOME" => "data").path
    end

    test "without any home it says what to set" do
      error = assert_raises(EnvironmentError) { at(nil).path }

      assert_operator error.message, :start_with?, "HOME is not set: "
    end

    test "MOHS_DATABASE_URL wins over the folder, an argument over both" do
      env = HOME.merge("MOHS_DATABASE_URL" => "postgres://db/lab")

      assert_equal [nil, { host: "db", dbname: "lab" }],
                   [at(nil, env).path, at(nil, env).parameters]
      assert_equal "/tmp/x.db", at("/tmp/x.db", env).path
      assert_equal USUAL, at(nil, **env, "MOHS_DATABASE_URL" => "").path
    end

    test "a file may be given as a path or as SQLite's URL" do
      %w[x.db sqlite:x.db sqlite://x.db].each do |given|
        assert_equal File.expand_path("x.db"), at(given).path
      end
      assert_equal "/a b/x.db", at("/a b/x.db").path
      assert_equal "/a/x.db", at("sqlite:///a/x.db").path
    end

    test "another kind of database is refused" do
      %w[mysql://db/lab sqlite:].each do |url|
        error = assert_raises(StoreError) { at(url).parameters }

        assert_match(/#{url} is neither postgres:.* nor sqlite:/, error.message)
      end
    end

    test "messages hide the password" do
      assert_equal "postgres://ann:***@db:5432/lab", at("postgres://ann:s:t@db:5432/lab").to_s
      assert_equal "postgresql://db/lab", at("postgresql://db/lab").to_s
      assert_equal "/tmp/x.db", at("/tmp/x.db").to_s
    end

    test "messages hide passwords of the query, however their names are written" do
      assert_equal "postgres://db/lab?user=u&password=***&sslmode=require",
                   at("postgres://db/lab?user=u&password=s3cret&sslmode=require").to_s
      ["PassWord", "sslpassword", "pass%77ord", "oauth_client_secret"].each do |name|
        assert_equal "postgres://ann:***@db/lab?#{name}=***",
                     at("postgres://ann:s3cret@db/lab?#{name}=s3cret=%20s3cret").to_s
      end
      assert_equal "postgres://db:5432/lab?user=a@b&password=***",
                   at("postgres://db:5432/lab?user=a@b&password=s3cret").to_s
      assert_equal "postgres://***@b&password=***",
                   at("postgres://ann:s3#cret@db/lab?user=a@b&password=s3cret").to_s
      assert_equal "postgres://db/lab?passfile=/x&password=***&***",
                   at("postgres://db/lab?passfile=/x&password=s3&cret").to_s
      ["s3?cret", "s3?user=cret", "?s3=cret?"].each do |secret|
        location = at("postgres://db/lab?user=u&password=#{secret}&sslmode=require")
        assert_equal secret, location.parameters[:password]
        assert_equal "postgres://db/lab?user=u&password=***&sslmode=require", location.to_s
      end
    end

    # "@", whichever character stands before it, shows that it belongs to a password.
    MALFORMED = ["s3cret word", "s3#cret", "12#cret", "s3/cret", "12/cret", "s3?cret", "s3@cret",
                 "s3%cret", "12?cret", "s3\u00e9cret", "1:2", "s3cret]", "s3%00cret"].freeze

    test "a password that is not percent-encoded is refused without it, and hidden" do
      MALFORMED.each do |password|
        location = at("postgres://ann:#{password}@db:5432/lab?sslmode=require")
        next assert_equal "1:2", location.parameters[:password] if password == "1:2"

        error = assert_raises(StoreError, password) { location.parameters }
        assert_equal Store::Location::MALFORMED_URL, error.message
        assert_nil error.cause
        assert_operator location.to_s, :start_with?, "postgres://", password
        assert_includes location.to_s, "***@db:5432/lab?sslmode=require"
      end
    end

    test "whatever the locale is, what is percent-encoded is UTF-8" do
      found = at((+"postgres://ann:caf%C3%A9@db").force_encoding("US-ASCII")).parameters
      assert_equal "café", found[:password]
      [at("postgres://ann:caf%E9@db"), at("postgres://ann@db?password=caf%E9")].each do |location|
        assert_equal Store::Location::MALFORMED_URL,
                     assert_raises(StoreError) { location.parameters }.message
      end
    end

    test "a port that is none, and what is no parameter, are refused without the URL" do
      %w[postgres://ann:s3cret@db:no/lab postgres:ann:s3cret@db/lab postgres://ann:s3cret@db/lab?x
         postgres://ann:s3cret@db/lab?=x].each do |url|
        assert_equal Store::Location::MALFORMED_URL,
                     assert_raises(StoreError) { at(url).parameters }.message
        refute_includes at(url).to_s, "s3cret"
      end
    end

    test "parameters are decoded as libpq decodes them" do
      assert_equal({ host: "/run/pg", port: "54", user: "a b", password: "p@ss:w/rd%+é",
                     dbname: "lab 1", options: "-c a=b", sslmode: "require" },
                   at("postgresql://a%20b:p%40ss%3Aw%2Frd%25+%C3%A9@%2Frun%2Fpg:54/lab%201?" \
                      "options=-c%20a%3Db&ssl%6Dode=require").parameters)
      assert_equal({ host: "::1" }, at("postgres://[::1]").parameters)
      assert_equal({ dbname: "lab", host: "/tmp/x", user: "u" },
                   at("postgres:///lab?host=/tmp/x&user=u").parameters)
    end

    private

    def at(url, env = {}) = Store::Location.new(url, env)
  end
end
