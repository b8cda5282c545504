# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/agreement/row"

module Mohs
  # What the ledgers of agreement keep of a measurement's origin.
  class AgreementRowTest < TestCase
    test "a line knows the definition of a rate that it was measured by" do
      assert_equal 3, AgreementRow.definition({ "commit" => "46d550d2", "definition" => 3 })
    end

    test "a line that names no definition is of the first" do
      assert_equal 1, AgreementRow.definition({ "commit" => "c595bc60" })
    end
  end
end
