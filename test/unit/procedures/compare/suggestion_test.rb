# frozen_string_literal: true

require "test_helper"

module Mohs
  module Compare
    class CompareSuggestionTest < TestCase
      NOISY = [0.01, -0.01, 0.007, -0.004].freeze
      TYPED = ["a", "b", "--get", "/products", "--margin", "1%", "--quiet"].freeze

      def suggested(differences, argv: TYPED, command: "compare", **options)
        hash = CompareResult.new(differences, **options).to_h
        hash[:run][:provenance] = Typed.provenance(*argv, command:)
        Stored.document(hash)[:next].map { |one| one.values_at(:what, :command) }
      end

      test "an undecided comparison is typed again with the time that its forecast says" do
        (what, command), = suggested(NOISY, argv: [*TYPED, "--budget", "22s"], budget_s: 22)

        assert_equal "to decide", what
        assert_match(/\Amohs compare a b --get \/products --margin 1% --budget \d+[ms]\z/, command)
        assert_operator Study::Duration.parse(command.split.last), :>, 22
      end

      test "where its margin can't be resolved here, one that can" do
        (_, command), = suggested([0.02, -0.03, 0.01, 0.0], argv: [*TYPED, "--budget", "22s"],
                                                            budget_s: 22)

        assert_match(/ --margin 2% --budget \d+[ms]\z/, command)
        assert_equal 1, command.scan("--margin").size
      end

      test "one that ended before its first look gets the time to reach that" do
        (_, command), = suggested([0.12], argv: [*TYPED, "--budget", "5s"], budget_s: 5)

        assert_operator Study::Duration.parse(command[/--budget (\S+)/, 1]), :>, 5
      end

      test "a provisional answer is decided without its option, and without a limit of time" do
        assert_equal [["to decide", "mohs compare a b --get /products --margin 1%"]],
                     suggested([0.004, -0.004, 0.002, 0.0], argv: [*TYPED, "--quick"],
                                                     comparison: { quick: true })
      end

      test "nothing is suggested that decides nothing, or of what another command was typed for" do
        assert_empty suggested([0.301, 0.3, 0.299])
        assert_empty suggested([0.9, -1.6, 0.4], budget_s: 16), "too noisy here"
        assert_empty suggested(NOISY, budget_s: 22, state: "interrupted")
        assert_empty suggested(NOISY, argv: %w[--get /], command: "gate", budget_s: 22)
        assert_empty suggested(NOISY, argv: ["a", "b", "--get", "/?token=hunter2"], budget_s: 22)
      end
    end
  end
end
