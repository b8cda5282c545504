# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    # The logs are those of applications that were really broken in that way, with their paths
    # shortened.
    class TroublesTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-app"

      LOGS = File.expand_path("../../fixtures/troubles", __dir__)

      def explained(...) = KnownErrors.explain(...).to_s

      test "what to do is apart from what is wrong" do
        log = File.read(File.join(LOGS, "no_database.log"))
        found = KnownErrors.explain(log:)

        assert_operator found.summary, :end_with?, "sample_app_production does not exist"
        assert_said(found.remedy)
        assert_equal ["no_database", { database: "sample_app_production" }],
                     [found.code, found.values]
        KnownErrors::TABLE.each { |trouble| refute_match(/--env|--header|bin\/rails/, trouble.says) }
      end

      test "a task of Rails is typed with what has its Ruby and gems, wherever that is" do
        bundle = Struct.new(:wrapper).new("sh '/o'\\''x$/run'")
        remedies = ["Migrations are pending", "asset 'a.css' was not found"].map do |log|
          KnownErrors.wrapped(KnownErrors.explain(log:), bundle).remedy
        end

        assert_includes remedies[0], "#{bundle.wrapper} bin/rails db:migrate"
        assert_includes remedies[1], "#{bundle.wrapper} bin/rails assets:precompile"
      end

      test "a log of the machine that an application reads is not its own" do
        said = "Errno::ENOENT: No such file or directory @ rb_sysopen - %slog/import.log"

        assert_match(/mkdir log/, explained(log: format(said, "/srv/shop/")))
        refute_match(/mkdir log/, explained(log: format(said, "/var/")))
      end

      test "a full disk is one by the system's number, too" do
        full = ["Errno::ENOSPC: No space left on device @ io_write", "(Errcode: 28)",
                "Got error 28 from storage engine"]
        full.each { |log| assert_equal "disk_full", KnownErrors.explain(log:)&.code, log }
        ["curl error 28", "error 280", "28 errors"].each do |log|
          assert_nil KnownErrors.explain(log:)
        end
      end

      test "a cause is the same under another Ruby" do
        found = %w[3.1.2 3.0.6].map do |ruby|
          KnownErrors.explain(log: "Your Ruby version is #{ruby}, but your Gemfile specified 3.2.2")
        end

        refute_equal(*found)
        assert_equal(*found.map(&:cause))
      end

      test "each log is explained, with what to do where that is known" do
        told = logs.to_h do |log|
          found = KnownErrors.explain(log: File.read(log))
          ["#{File.basename(log, '.log')}, #{found.code}", found.to_s]
        end

        assert_told("known-errors", told)
      end

      def logs = Dir[File.join(LOGS, "*.log")].sort

      test "every row of the table is covered by a log" do
        hit = logs.map do |log|
          text = File.read(log)
          KnownErrors::TABLE.find { |trouble| trouble.pattern.match?(text) }.name
        end

        assert_equal KnownErrors::TABLE.map(&:name).sort, hit.uniq.sort
      end

      test "unknown causes are not explained" do
        assert_nil KnownErrors.explain(log: "Puma starting in single mode...\n* Listening on http://127.0.0.1:9481\n")
        assert_nil KnownErrors.explain
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
