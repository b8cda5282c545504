# frozen_string_literal: true

require "test_helper"

class InterruptionTest < Mohs::TestCase
  test "what is held back strikes at the end, or where it is heard" do
    output = []
    assert_raises(Interrupt) do
      Mohs::Interruption.held do
        Thread.current.raise(Interrupt)
        output << "held"
        Mohs::Interruption.heard { output << sleep(5) }
      end
    end

    assert_equal %w[held], output
  end
end
