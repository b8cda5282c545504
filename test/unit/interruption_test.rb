# frozen_string_literal: true

require "test_helper"

class InterruptionTest < Mohs::TestCase
  test "what is held back strikes at the end, or where it is heard" do
    said = []
    assert_raises(Interrupt) do
      Mohs::Interruption.held do
        Thread.current.raise(Interrupt)
        said << "held"
        Mohs::Interruption.heard { said << sleep(5) }
      end
    end

    assert_equal %w[held], said
  end
end
