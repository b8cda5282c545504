# frozen_string_literal: true

require "test_helper"

module Mohs
  module Report
    class BisectReportTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-bisect"

      CONTRACT = JSONContract.new("`bisect`")
      TYPED = Typed.invocation("a", "b", "--gem", "rack", command: "bisect")

      def document(effects, seed: 1, broken: [], measure: nil, **options)
        host = BisectHost.new(effects, sd: 0.0075, seed:, broken:)
        measure ||= host
        result = Bisect::Bisection.new(points: host.points, measure:, **options).call
        Bisect::Document.document(result, invocation: TYPED)
      end

      def line(culprit, effect: 0.05) = (0..20).map { |index| index >= culprit ? -effect : 0.0 }

      # What each outcome's document is made of.
      def documents
        host = BisectHost.new(line(13), sd: 0.0075)
        {
          "found" => document(line(13)), "range" => document(line(10), broken: [9, 10]),
          "none" => document(line(99)), "invalid" => document(line(13), broken: [20]),
          "undecided" => document(line(13, effect: 0.01), budget_s: 40),
          "interrupted" => document(line(13), measure: ->(*) { raise Interrupt }),
          "unconfirmed" => document(line(13), measure: confirming(host, :undecided)),
          "contradicted" => document(line(13), measure: confirming(host, :equivalent)),
        }
      end

      # A host on which the confirmation says something else.
      def confirming(host, outcome)
        lambda do |a, b, asked, left|
          run = host.call(a, b, asked, left)
          next run if a.name == "0"

          verdict = Analysis::Verdict.new(outcome:, effect: 1.0, low: 0.995, high: 1.005)
          run.with(result: run.result.with(verdict:))
        end
      end

      test "every outcome's document is as docs/json.md says" do
        documents.each do |outcome, document|
          assert_equal outcome, document[:outcome]
          assert_empty CONTRACT.faults(JSON.parse(Exporters::Documents::Json.new.call(document),
                                                  symbolize_names: true)), outcome
        end
      end

      test "only what was searched down to one is named" do
        named = documents.select { |_, document| document[:found] }.keys

        assert_equal %w[found unconfirmed contradicted], named
        assert_equal "13", documents["found"][:found][:name]
      end

      test "an answer is a success, also that nothing is slower" do
        outcomes = documents.transform_values { |one| Bisect::Document.outcome(one) }

        assert_equal %w[found range none], outcomes.select { |_, one| one == :ok }.keys
        assert_equal %i[ok failed], outcomes.values.uniq
      end

      test "the sentence says what came of it" do
        assert_told "bisect-sentences", documents.transform_values { |found| found[:sentence] }
      end

      test "a faster end is called so, and less of a metric is told as less" do
        assert_said(document(line(5, effect: -0.05))[:sentence])
        found = document(line(13)).merge(metric: "cpu")
        assert_match(/CPU a request \+\d\.\d % \[[\d.]+, [\d.]+\] against 12/,
                     Bisect::Headline.new(found).to_s)
      end

      test "the screen has the answer, what it took, each step, and why one was skipped" do
        text = Terminal.new.call(document(line(13), broken: [10]))
        lines = text.lines(chomp: true)

        assert_said(lines[0])
        assert_said(lines[1])
        assert_match(/\A20 +0 +slower +\d+ +0 +r +ends\z/, lines[4])
        assert_match(/^10 +0 +skipped +0 +0 +r$/, text)
        assert_match(/^13 +12 +slower +\d+ +0 +r +confirmed$/, text)
        assert_includes lines, '10: B, "b": it does not boot'
      end

      test "what to try against the last failure is on a line of its own" do
        found = documents["invalid"]

        assert_nil found.fetch(:remedy)
        assert_match(/^next +Try -v\.$/, Terminal.new.call({ **found, remedy: "Try -v." }))
      end

      test "progress says each step and its end, and no plan" do
        out = StringIO.new(+"")
        progress = Terminal::LineProgress.new(out, style: Terminal::Style.new)
                                         .extend(Bisect::StepProgress)
        document(line(13), broken: [10], on_event: progress)

        assert_match(/\A20 against 0 · the two ends\n  slower · \d cohorts · 0 s\n/, out.string)
        assert_includes out.string, "10 against 0 · 20 suspects · 5 steps at most\n" \
                                    "  skipped: B, \"b\": it does not boot · 0 cohorts · 0 s\n"
        assert_match(/^13 against 12 · to confirm it$/, out.string)
      end
    end
  end
end
