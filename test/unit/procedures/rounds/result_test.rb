# frozen_string_literal: true

require "test_helper"

module Mohs
  module Rounds
    class ResultTest < TestCase
      CLEAR = { "a" => 1000, "b" => 1500, "c" => 700 }.freeze

      # Of `planned` rounds the first `done` are measured.
      def stored_run(rates = CLEAR, done: 4, planned: 9, state: "running", decide: true, **options)
        result = SampleResult.new(rates, rounds: done, **options).to_h
        queued = (done + 1..planned).map { |round| { round:, state: "queued", trials: [] } }
        result[:cohorts] = [*result[:cohorts], *queued]
        result[:cohorts].each { |one| one[:spec] = { baseline: "a", variants: rates.keys } }
        result[:run][:state] = state
        result[:run][:study][:until_decided] = decide
        yield result if block_given?
        Stored.analysis(result)
      end

      def over?(...)
        one = stored_run(...)
        one.stored.study.procedure.over?(one)
      end

      def declared(**declaration) = Rules.declared(declaration, variants: [], baseline: "a")

      test "a run is over when the intervals of a whole round decide every difference" do
        assert over?
        refute over?({ "a" => 1000, "b" => 1500, "c" => 1002 })
        refute over?(done: 3)
        refute over?({ "a" => 1000 })
        refute over?(done: 9)
      end

      test "not while two candidates are alike, or an interval is wider than its effect" do
        refute over?({ "a" => 1000, "b" => 1500, "c" => 1503 })
        refute over?({ "a" => 1000, "b" => 1100 }, boot_sd: 0.01)
        assert over?({ "a" => 1000, "b" => 1100 }, boot_sd: 0.001)
      end

      test "not while a row has no verdict, or if a boot gave no figures" do
        refute(over? { |result| result[:run][:study][:variants][1][:rate] = 1500 })
        refute(over? { |result| result[:cohorts][0][:trials][2].update(state: "failed") })
        assert(over? { |result| result[:run][:study][:variants] << { name: "d", refusal: "no" } })
      end

      test "not within a round, and not if one of its servers still runs" do
        refute(over? { |result| result[:cohorts][4].merge!(round: 4) })
        refute(over? { |result| result[:cohorts][4].merge!(state: "running") })
      end

      test "not if rounds were asked for, in studies, for recordings, in a fleet, or with a JVM" do
        refute over?(decide: false)
        refute(over? { |result| result[:run][:study][:published] = { name: "hello" } })
        refute(over? { |result| result[:cohorts][0][:host][:name] = "east" })
        refute(over? { |result| result[:run][:study][:variants][1][:engine] = "jruby" })

        asked = { rounds: 3, budget_s: nil, until_decided: false }
        assert_equal asked, declared(rounds: 3).to_h
        assert_equal [true, true, false, false],
                     [{}, { budget_s: 60 }, { cold_start: {} }, { profile: {} }].map { |one|
                       declared(**one).until_decided
                     }
      end

      test "what it said when it ended it says ever after, and that rounds were left" do
        going, ended = %w[running finished].map { |state| stored_run(state:) }
        verdicts = [going, ended].map { |one| one.rows.map { |row| one.verdict(row).to_h } }

        assert_equal(*verdicts)
        assert_nil going.result.enough
        assert_equal({ done: 4, planned: 9 }, ended.result.enough.values)
        notes = Report::Model.build(ended)[:notes]
        assert_match(/4 of 9/, notes.find { |note| note[:name] == "rounds" }[:text])
      end

      test "all looks of a run together have the chance of error of one" do
        alphas = (4..9).map { |done| stored_run(done:, state: "finished").result.alpha }

        assert_in_delta Analysis::Verdict::ALPHA, alphas.sum, 1e-12
        assert_operator alphas.last, :>, 0.8 * Analysis::Verdict::ALPHA
        assert_equal Analysis::Verdict::ALPHA,
                     stored_run(done: 9, state: "finished", decide: false).result.alpha
        assert_equal Analysis::Verdict::ALPHA,
                     stored_run(done: 4, planned: 4, state: "finished").result.alpha
      end
    end
  end
end
