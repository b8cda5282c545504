# frozen_string_literal: true

require "test_helper"

# The command line of `mohs web`; test/integration/web_test.rb has the server.
class CLIWebTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-web"

  { %w[--port x] => "--port x: must be an integer of 0 or more",
    %w[--port 70000] => "--port 70000: at most 65535",
    %w[here] => 'unexpected argument: "here"',
    %w[--host x] => "unknown option --host" }.each do |argv, message|
    test "mohs web #{argv.join(' ')} is refused" do
      output = mohs("web", *argv)

      assert_equal 2, output.status
      assert_includes output.err, message
    end
  end

  test "a token is made up where one is wanted, so that no command line shows it" do
    tokens = Array.new(2) do
      made = ->(*, token:, **) { raise Mohs::UsageError, token }
      Mohs::Web.stub(:new, made) { mohs("web", "--token", store: -> { Mohs::Store.allocate }) }.err
    end

    tokens.each { |err| assert_match(/\Amohs: [\w-]{32}\n\z/, err) }
    refute_equal(*tokens)
  end

  test "a token that can be guessed is refused before anything listens" do
    output = mohs("web", "--token", "abc", store: -> { Mohs::Store.allocate })

    assert_equal 2, output.status
    assert_said(output.err)
  end
end
