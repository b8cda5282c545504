# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class EnvironmentTest < TestCase
      def rails(dir) = App.new(name: "shop", dir:, rails: true)

      test "every application is in production" do
        set = Environment.for(App.new(dir: "/srv/x", rails: false), env: {})

        assert_equal(
          { "RACK_ENV" => "production", "RAILS_ENV" => "production",
            "APP_ENV" => "production", "HANAMI_ENV" => "production" }, set
        )
      end

      test "threads size the database pool" do
        set = Environment.for(App.new(dir: "/srv/x", rails: false), threads: 16, env: {})

        assert_equal "16", set["RAILS_MAX_THREADS"]
      end

      test "Rails gets its switches and a throw-away secret, the same each time" do
        with_files do |dir|
          set = Environment.for(rails(dir), env: {})

          assert_equal "1", set["RAILS_SERVE_STATIC_FILES"]
          assert_equal "warn", set["RAILS_LOG_LEVEL"]
          assert set.key?("RAILS_LOG_TO_STDOUT")
          assert_nil set["RAILS_LOG_TO_STDOUT"]
          assert_match(/\A\h{128}\z/, set["SECRET_KEY_BASE"])
          assert_equal set, Environment.for(rails(dir), env: {})
          assert_equal [Note.of("temporary_secret", cookie: false)],
                       Environment.notes(rails(dir), env: {})
        end
      end

      test "files that may have the secret of a user's cookie are named, if ours is used" do
        files = { "tmp/local_secret.txt" => "ab", "config/secrets.yml" => "development:\n",
                  "config/credentials.yml.enc" => "x" }
        with_files(files) do |dir|
          app = rails(dir)

          assert_equal %w[tmp/local_secret.txt config/secrets.yml config/credentials.yml.enc],
                       Environment.secret_files(app, env: {})
          assert_nil Environment.secret_files(app, env: { "SECRET_KEY_BASE" => "mine" })
          assert_nil Environment.secret_files(App.new(dir:, rails: false), env: {})
        end
        with_files { |dir| assert_equal [], Environment.secret_files(rails(dir), env: {}) }
      end

      test "cookies are noted with a temporary secret" do
        with_files do |dir|
          assert_equal [Note.of("temporary_secret", cookie: true)],
                       Environment.notes(rails(dir), env: {}, cookie: true)
        end
      end

      test "two applications get different secrets" do
        sets = %w[/srv/a /srv/b].map { |dir| Environment.for(rails(dir), env: {}) }

        assert_equal 2, sets.map { |set| set.fetch("SECRET_KEY_BASE") }.uniq.size
      end

      {
        "the shell's" => [{}, { "SECRET_KEY_BASE" => "mine" }],
        "credentials with their key" => [
          { "config/credentials.yml.enc" => "x", "config/master.key" => "y" }, {}],
        "credentials with the key in a variable" => [{ "config/credentials.yml.enc" => "x" },
                                                     { "RAILS_MASTER_KEY" => "y" }],
        "production's own credentials" => [
          { "config/credentials/production.yml.enc" => "x",
            "config/credentials/production.key" => "y" }, {},
        ],
        "secrets.yml" => [
          { "config/secrets.yml" => "production:\n  secret_key_base: #{'ab' * 20}\n" }, {}],
      }.each do |what, (files, env)|
        test "#{what} secret is left alone" do
          with_files(files) do |dir|
            refute Environment.for(rails(dir), env:).key?("SECRET_KEY_BASE")
            assert_empty Environment.notes(rails(dir), env:)
          end
        end
      end

      {
        "credentials without their key" => { "config/credentials.yml.enc" => "x" },
        "secrets that ask the environment" =>
          { "config/secrets.yml" => "production:\n  secret_key_base: <%= ENV['SECRET'] %>\n" },
      }.each do |what, files|
        test "#{what} need ours" do
          with_files(files) do |dir|
            assert Environment.for(rails(dir), env: {}).key?("SECRET_KEY_BASE")
          end
        end
      end
    end
  end
end
