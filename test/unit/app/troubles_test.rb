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
        "asset_missing" => /asset rails\.svg is not compiled\nRAILS_ENV=production/,
        "blocked_host" => /blocks 127\.0\.0\.1\n--header "Host: shop\.example"/,
        "database_away" => /can't be reached \(at "127\.0\.0\.1", port 5498\)/,
        "database_away_by_socket" => %r{can't be reached \(on socket "/var/run/postgresql/},
        "database_login" => /refuses the login/,
        "gem_missing" => /the gem nosuchgemhere is not in the bundle/,
        "library_gone" => /base64 is no longer part of this Ruby\nAdd gem "base64" to the Gemfile/,
        "library_missing" => /the library nosuchlib is missing/,
        "master_key_missing" => /--env RAILS_MASTER_KEY=/,
        "master_key_wrong" => /can't be decrypted with this key/,
        "migrations_pending" => /older than its code\nBring.*db:migrate/,
        "no_database" => /sample_app_production does not exist\nPrepare.*db:prepare/,
        "no_database_yml" => /config\/database\.yml is missing/,
        "pool" => /pool is smaller.*\n.*<%= ENV\.fetch\("RAILS_MAX_THREADS", 5\) %>/,
        "port_in_use" => /another process uses port 9484 of 127\.0\.0\.1/,
        "ruby_without_openssl" => /built without OpenSSL\nAdd gem "openssl" to the Gemfile/,
        "secret_missing" => /--env SECRET_KEY_BASE=\$\(ruby -rsecurerandom/,
        "secret_missing_lazily" => /--env SECRET_KEY_BASE=/,
        "storage_service" => /stored at amazon/,
        "tables_missing" => /lacks tables\nPrepare.*db:prepare/,
        "tables_missing_in_sqlite" => /lacks tables/,
        "variable_missing" => /needs the variable STRIPE_KEY\n--env STRIPE_KEY=/,
      }.freeze

      def explained(...) = Troubles.explain(...).to_s

      test "what to do is apart from what is wrong" do
        log = File.read(File.join(LOGS, "no_database.log"))
        found = Troubles.explain(log:)

        assert_operator found.summary, :end_with?, "sample_app_production does not exist"
        assert_match(/\APrepare it: .*db:prepare/, found.remedy)
        assert_equal ["no_database", { database: "sample_app_production" }],
                     [found.code, found.values]
        Troubles::TABLE.each { |trouble| refute_match(/--env|--header|bin\/rails/, trouble.says) }
      end

      test "a cause is the same under another Ruby" do
        found = %w[3.1.2 3.0.6].map do |ruby|
          Troubles.explain(log: "Your Ruby version is #{ruby}, but your Gemfile specified 3.2.2")
        end

        refute_equal(*found)
        assert_equal(*found.map(&:cause))
      end

      EXPLAINED.each do |name, explanation|
        test "explains #{name}" do
          assert_match explanation, explained(log: File.read(File.join(LOGS, "#{name}.log")))
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

        assert_match(/blocks a\.example:80/, explained(answer:))
      end

      test "of several missing gems the first is named" do
        log = "Could not find rack-3.1.0, puma-6.4.2 in any of the sources (Bundler::GemNotFound)"

        assert_match(/the gem rack-3\.1\.0 is/, explained(log:))
      end

      test "a log that isn't UTF-8 does no harm" do
        assert_match(/STRIPE_KEY/,
                     explained(log: "\xff\xfe key not found: \"STRIPE_KEY\"".b))
      end
    end
  end
end
