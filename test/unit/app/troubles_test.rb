# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    # The logs are those of applications that were really broken in that way, with their paths
    # shortened.
    class TroublesTest < TestCase
      LOGS = File.expand_path("../../fixtures/troubles", __dir__)

      EXPLAINED = {
        "another_ruby" => /requires Ruby 3\.2\.2, and this is 3\.1\.2/,
        "asset_missing" => /asset rails\.svg is not compiled: RAILS_ENV=production/,
        "blocked_host" => /blocks 127\.0\.0\.1: --header "Host: shop\.example"/,
        "database_away" => /can't be reached \(at "127\.0\.0\.1", port 5498\)/,
        "database_away_by_socket" => %r{can't be reached \(on socket "/var/run/postgresql/},
        "database_login" => /refuses the login/,
        "gem_missing" => /the gem nosuchgemhere is not in the bundle/,
        "library_gone" => /base64 is no longer part of this Ruby: add gem "base64" to the Gemfile/,
        "library_missing" => /the library nosuchlib is missing/,
        "master_key_missing" => /--env RAILS_MASTER_KEY=/,
        "master_key_wrong" => /can't be decrypted with this key/,
        "migrations_pending" => /older than its code.*db:migrate/,
        "no_database" => /sample_app_production does not exist.*db:prepare/,
        "no_database_yml" => /config\/database\.yml is missing/,
        "pool" => /pool is smaller.*<%= ENV\.fetch\("RAILS_MAX_THREADS", 5\) %>/,
        "port_in_use" => /another process uses port 9484 of 127\.0\.0\.1/,
        "secret_missing" => /--env SECRET_KEY_BASE=\$\(ruby -rsecurerandom/,
        "secret_missing_lazily" => /--env SECRET_KEY_BASE=/,
        "storage_service" => /stored at amazon/,
        "tables_missing" => /lacks tables.*db:prepare/,
        "tables_missing_in_sqlite" => /lacks tables/,
        "variable_missing" => /needs the variable STRIPE_KEY: --env STRIPE_KEY=/,
      }.freeze

      EXPLAINED.each do |name, explanation|
        test "explains #{name}" do
          assert_match explanation, Troubles.explain(log: File.read(File.join(LOGS, "#{name}.log")))
        end
      end

      test "every log and every row of the table is covered" do
        logs = Dir[File.join(LOGS, "*.log")].sort
        hit = logs.map do |log|
          text = File.read(log)
          Troubles::TABLE.find { |trouble| trouble.pattern.match?(text) }.name
        end

        assert_equal EXPLAINED.keys.sort, logs.map { |log| File.basename(log, ".log") }
        assert_equal Troubles::TABLE.map(&:name).sort, hit.uniq.sort
      end

      test "unknown causes are not explained" do
        assert_nil Troubles.explain(log: "Puma starting in single mode...\n* Listening on http://127.0.0.1:9481\n")
        assert_nil Troubles.explain
      end

      test "an answer is looked at as well as the log" do
        answer = Http::Reply.new(status: 403, reason: "", headers: {},
                           body: "<h1>Blocked hosts: a.example:80</h1>".b)

        assert_match(/blocks a\.example:80/, Troubles.explain(answer:))
      end

      test "of several missing gems the first is named" do
        log = "Could not find rack-3.1.0, puma-6.4.2 in any of the sources (Bundler::GemNotFound)"

        assert_match(/the gem rack-3\.1\.0 is/, Troubles.explain(log:))
      end

      test "a log that isn't UTF-8 does no harm" do
        assert_match(/STRIPE_KEY/,
                     Troubles.explain(log: "\xff\xfe key not found: \"STRIPE_KEY\"".b))
      end
    end
  end
end
