# frozen_string_literal: true

require "test_helper"

# `mohs load` of an address where nothing listens.
class CLIRefusedTest < Mohs::TestCase
  include Mohs::CLIHelper

  test "it is an error of the environment, in words" do
    said = mohs("load", "http://127.0.0.1:1/")

    assert_equal [4, ""], [said.status, said.out]
    assert_includes said.err, "nothing is listening on 127.0.0.1:1"
  end

  test "it is an error of the environment, in the document" do
    said = mohs("load", "http://127.0.0.1:1/", "--json")
    error = said.json[:error]

    assert_empty Mohs::JSONContract.new("A mistake").faults(said.json)
    assert_equal ["load", "EnvironmentError", 4, 4],
                 [said.json[:command], error[:kind], error[:exit_status], said.status]
    assert_equal "mohs: #{error[:message]}\n", said.err
  end
end
