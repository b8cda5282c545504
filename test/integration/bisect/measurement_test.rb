# frozen_string_literal: true

require "test_helper"

module Mohs
  module Bisect
    # Two points for real, on the server `mock`: what a step asks passes through the store and ends
    # the run as soon as it is decided.
    class MeasurementTest < TestCase
      include StoreHelper

      # Noise that many cohorts have shown: one more is enough.
      STEP = { difference: -1.0, noise: { squares: 0.04, freedom: 100 }, alpha: 0.01 }.freeze
      QUESTION = Bisect::SideQuestion.new(nil, STEP)

      def point(name, text = "#{RUBY_VERSION}, mock:1x2", **more)
        notation = Study::Notation.new(**Study::Notation.parse(text).to_h, label: name, **more)
        Bisect::Point.new(name:, id: name, notation:)
      end

      def step(run)
        Bisect::Search::Step.of(:search, run, a: "a", b: "b", index: 1, seconds: 1.0)
      end

      def with_pair
        with_files("app/config.ru" => "run ->(_) { [200, {}, []] }\n") do |folder|
          store = open_store(File.join(folder, "mohs.db"))
          declaration = { app: "#{folder}/app", seed: 5 }
          experiment = Experiment.new(store:)
          yield Bisect::Measurement.new(experiment:, declaration:), store, folder
        ensure
          close_stores
        end
      end

      test "a step ends after one cohort where that decides, and is a run in the store" do
        with_pair do |pair, store|
          slow = point("slow", "#{RUBY_VERSION}, mock:1x2, MOHS_MOCK_DELAY_MS=2")
          measured = pair.call(point("good"), slow, { question: QUESTION, margin: 0.02 }, nil)
          step = step(measured)

          assert_equal ["bad", 1, measured.stored.key], [step.verdict, step.cohorts, step.run]
          run = store.run(measured.stored.key)
          assert_equal [QUESTION, 0.02], [run.study.rules.question, run.study.rules.margin]
          assert_equal [Bisect::SideTest::LOOKS.last, 5],
                       [run.plan.rounds, run.study.seed]
          assert_operator step.differences.first, :<, -0.5
        end
      end

      test "a commit without an application is skipped at once" do
        with_pair do |pair, _, folder|
          theirs = GitRepository.new("#{folder}/app")
          commit = theirs.commit("config.ru" => "run 1")
          theirs.git("rm", "--quiet", "config.ru")
          empty = theirs.commit("README" => "")
          theirs.write("config.ru" => "run ->(_) { [200, {}, []] }\n")
          points = [commit, empty].map { |id| point(id[0, 7], revision: "@#{id[0, 7]}") }
          measured = pair.call(*points, { question: QUESTION }, nil)
          step = step(measured)

          assert_equal ["skipped", 0], [step.verdict, step.cohorts]
          assert_match(/no config\.ru at @#{empty[0, 7]}: no application/,
                       step.finding.values[:reason].summary)
        end
      end
    end
  end
end
