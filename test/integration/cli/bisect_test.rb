# frozen_string_literal: true

require "test_helper"

module Mohs
  class CLI
    class BisectTest < TestCase
      include CLIHelper

      # A experiment in which the commit `culprit` (counted from 0) made it slower.
      class MadeUp
        attr_reader :declarations

        def initialize(ids, culprit:, study:)
          @ids = ids
          @study = study
          @host = BisectHost.new(ids.each_index.map { |i| i >= culprit ? -0.05 : 0.0 }, sd: 0.0075)
          @declarations = []
        end

        def prepare(declaration)
          @declarations << declaration
          @study
        end

        def plan(_study) = nil

        def measure(_study, _plan, invocation:, **)
          @invocation = invocation
          declaration = @declarations.last
          pair = declaration[:variants].map { |_, notation| point(notation) }
          @host.call(*pair, declaration[:comparison], declaration[:budget_s])
        end

        private

        def point(notation)
          index = @ids.index { |id| id.start_with?(notation.label) }
          @host.points[index]
        end
      end

      def with_app(commits)
        with_files do |dir|
          theirs = GitRepository.new(dir)
          ids = Array.new(commits) { |i| theirs.commit("config.ru" => "run :a # #{i}") }
          yield dir, ids, theirs
        end
      end

      def bisect(dir, ids, *argv, culprit: 3)
        @experiment = MadeUp.new(ids, culprit:, study: fixture_study)
        mohs("bisect", *argv, dir:, experiment: -> { @experiment })
      end

      test "the commit is told with its subject, and the steps that led there" do
        with_app(6) do |dir, ids|
          output = bisect(dir, ids, "@HEAD~5", "main")

          assert_equal 0, output.status, output.err
          assert_match(/^#{ids[3][0, 7]} \(\d{4}-\d\d-\d\d, one more\) made it slower: /,
                       output.out)
          assert_match(/^#{ids[5][0, 7]} +#{ids[0][0, 7]} +slower/, output.out)
          assert_match(/\A#{ids[5][0, 7]} "one more" against #{ids[0][0, 7]} · the two ends$/,
                       output.err)
        end
      end

      test "options reach every comparison, the seed of each is another" do
        with_app(4) do |dir, ids|
          bisect(dir, ids, ids[0], "HEAD", "--get", "/slow", "--margin", "2%", "--seed", "7",
                 "--budget", "9m", "--on", "3.1.2 --yjit, puma:1x2", "--env", "A=1", "--quiet")
          first, second = @experiment.declarations

          assert_equal [dir, ["/slow"], { "A" => "1" }, 7, 540],
                       [first[:app], first[:requests].map(&:path), *first.values_at(:env, :seed),
                        first[:budget_s]]
          questions = [first, second].map { |one| one[:comparison][:question].to_h }
          assert_equal [0.02, nil], [first[:comparison][:margin], questions.first[:step]]
          notation = first[:variants].first.last
          assert_equal ["@#{notation.label}", "3.1.2", ["--yjit"], "puma:1x2"],
                       notation.to_h.values_at(:revision, :ruby, :flags, :server)
          assert_equal [8, 0.02], [second[:seed], second[:comparison][:margin]]
          assert_operator second[:budget_s], :<, 540
          assert_operator questions.last[:step][:difference], :<, 0
        end
      end

      test "no difference is an answer; no answer is a failure" do
        with_app(4) do |dir, ids|
          output = bisect(dir, ids, ids[0], "main", "--json", culprit: 9)
          assert_equal [0, "none", "bisect", nil],
                       [output.status, *output.json.values_at(:outcome, :command, :found)]

          output = bisect(dir, ids, ids[0], "main", "--json", "--budget", "12s", "--quiet")
          assert_equal [1, "undecided", ""], [output.status, output.json[:outcome], output.err]
        end
      end

      test "Ctrl-C prints what is known and says so to the shell" do
        with_app(4) do |dir, ids|
          stopped = Class.new(MadeUp) { def measure(*, **) = raise(Interrupt, "") }
          experiment = -> { stopped.new(ids, culprit: 2, study: fixture_study) }
          output = mohs("bisect", ids[0], "main", dir:, experiment:)

          assert_equal [130, "Stopped. Whether"], [output.status, output.out.lines[1][0, 16]]
        end
      end

      MISTAKES = {
        %w[HEAD] => /\Amohs: an argument .*Usage: mohs bisect GOOD BAD/,
        %w[HEAD HEAD] => /\Amohs: HEAD and HEAD .*one commit/,
        %w[nonsense main] => /\Amohs: @nonsense .*revision/,
        %w[main HEAD~1] => /\Amohs: \h{12} .*descendant of \h{12}/,
        ["HEAD~1", "main", "--on", "@main"] => /\Amohs: --on "@main": @main can't be bisected\./,
        %w[HEAD~1 main --gate p50<2%] => /\Amohs: unknown option --gate/,
        %w[1 2 --gem rack] => /\Amohs: .*no Gemfile .*rack/,
        ["1", "2", "--gem", "rack", "--on", "Gemfile.next"] => /Gemfile\.next can't be bisected\./,
      }.freeze

      test "mistakes are told before anything is measured" do
        with_app(2) do |dir, _ids|
          MISTAKES.each do |argv, message|
            output = mohs("bisect", *argv, dir:, env: { "HOME" => dir })
            assert_equal [2, ""], [output.status, output.out], argv.inspect
            assert_match message, output.err
          end
        end
      end
    end
  end
end
