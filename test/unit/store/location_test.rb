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

      assert_operator error.message, :start_with?, "HOME is not set: mohs keeps its gems and runs"
    end

    test "MOHS_DATABASE_URL wins over the folder, an argument over both" do
      env = HOME.merge("MOHS_DATABASE_URL" => "postgres://db/lab")

      assert_equal [nil, "postgres://db/lab"], [at(nil, env).path, at(nil, env).url]
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
        error = assert_raises(StoreError) { at(url).url }

        assert_match(/#{url} is neither postgres:.* nor sqlite:/, error.message)
      end
    end

    test "messages hide the password" do
      assert_equal "postgres://ann:***@db:5432/lab", at("postgres://ann:s:t@db:5432/lab").to_s
      assert_equal "postgresql://db/lab", at("postgresql://db/lab").to_s
      assert_equal "/tmp/x.db", at("/tmp/x.db").to_s
    end

    private

    def at(url, env = {}) = Store::Location.new(url, env)
  end
end
