# frozen_string_literal: true

require "test_helper"

module Mohs
  # How a load is typed by the commands that propose one.
  class LoadByHandTest < TestCase
    test "what is known is typed, the URL is left to the user" do
      known = { duration_s: 120, rate: 50, connections: nil }
      proposal = Procedure.by_hand(**known)

      assert_equal ["load", %w[URL]], [proposal.command, proposal.arguments]
      assert_equal %w[--duration --rate], proposal.options.map(&:name)
    end
  end
end
