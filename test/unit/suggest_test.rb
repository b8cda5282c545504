# frozen_string_literal: true

require "test_helper"

class SuggestTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-others"

  SERVERS = %w[falcon puma unicorn].freeze

  test "finds the nearest spelling" do
    assert_equal "puma", Mohs::Suggest.nearest("pumma", SERVERS)
  end

  test "finds nothing where no word is near" do
    assert_nil Mohs::Suggest.nearest("apache", SERVERS)
  end

  test "asks whether the nearest was meant" do
    assert_equal "Did you mean unicorn?", Mohs::Suggest.hint("unicron", SERVERS)
  end

  test "lets the block write the nearest as it is typed" do
    assert_said(Mohs::Suggest.hint("pumma", SERVERS) { |near| "mohs #{near}" })
  end

  test "lists the words where none is near" do
    assert_equal "Known: falcon, puma, unicorn.", Mohs::Suggest.hint("apache", SERVERS)
  end

  test "says what it is given in place of the list" do
    assert_equal "None.", Mohs::Suggest.hint("apache", SERVERS, otherwise: "None.")
  end
end
