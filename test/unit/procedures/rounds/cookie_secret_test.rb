# frozen_string_literal: true

require "test_helper"

module Mohs
  module Rounds
    class CookieSecretTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-rounds"

      def remedied(*argv, file: nil, temporary: true, files: [], command: "run")
        values = { request: "GET /account", status: 302, to: "/login", tries: [],
                   cookie: { temporary:, files: } }
        reason = Report::Render.reason(Reason.new(code: "redirected", values:))
        [reason, CookieSecret.remedy(reason, provenance: Typed.provenance(*argv, command:), file:)]
      end

      def lines(...) = remedied(...).last.remedy.lines(chomp: true)

      test "what to type is the same command with a file for the secret, then what it contains" do
        given = %w[--get /account --header-file cookie.txt --variant puma:1x1 --budget 15s]

        assert_equal ["mohs #{given.join(' ')} --env-file FILE", "In FILE: SECRET_KEY_BASE=..."],
                     lines(*given).first(2)
        assert_match(/tmp.local_secret.txt/, lines(*given).last)
        assert_said(lines(*given, files: %w[.env]).last)
      end

      test "a cookie that was typed is read from a file, too" do
        typed = ["--get", "/account", "--header", "Cookie: _shop=hunter2"]

        assert_equal ["mohs --get /account --header-file FILE1 --env-file FILE2",
                      "In FILE1: Cookie: ...; in FILE2: SECRET_KEY_BASE=..."],
                     lines(*typed).first(2)
      end

      test "a study file stays the first word" do
        assert_equal "mohs run a.yml --rounds 3 --env-file FILE",
                     lines("a.yml", "--rounds", "3", file: "a.yml").first
      end

      test "words that are not a run's, and other causes, leave the reason as it is" do
        [remedied("--count", "5", command: "jobs"),
         remedied("--get", "/", temporary: false)].each do |before, after|
          assert_same before, after
        end
        other = Reason.new(code: "died", summary: "it died")

        assert_same other, CookieSecret.remedy(other, provenance: { invocation: nil })
      end
    end
  end
end
