# frozen_string_literal: true

require "test_helper"

# `mohs load` of an address where nothing listens.
class CLIRefusedTest < Mohs::TestCase
  include Mohs::CLIHelper

  test "it is an error of the environment, in words" do
    output = mohs("load", "http://127.0.0.1:1/")

    assert_equal [4, ""], [output.status, output.out]
    assert_includes output.err, "127.0.0.1:1"
  end

  test "it is an error of the environment, in the document" do
    output = mohs("load", "http://127.0.0.1:1/", "--json")
    error = output.json[:error]

    assert_empty Mohs::JSONContract.new("A mistake").faults(output.json)
    assert_equal ["load", "EnvironmentError", 4, 4],
                 [output.json[:command], error[:kind], error[:exit_status], output.status]
    assert_equal "mohs: #{error[:message]}\n", output.err
  end
end
