# frozen_string_literal: true

require "test_helper"

class StudyCredentialsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  Credentials = Mohs::Study::Credentials

  test "a user and a password, which may have colons" do
    assert_equal Credentials.new(user: "ann", password: "a:bc"), Credentials.parse("ann:a:bc")
    ["ann", "ann:", ":secret"].each do |text|
      error = assert_raises(Mohs::UsageError) { Credentials.parse(text) }
      refute_includes error.message, "secret"
    end
  end

  test "a password that is too short to be masked is refused, without it" do
    error = assert_raises(Mohs::UsageError) { Credentials.parse("ann:zqx") }

    assert_said(error.message)
    refute_includes error.message, "zqx"
  end

  test "its password is a secret of the study, and sealed before that is stored" do
    login = Credentials.parse("ann:s3cret")
    study = Mohs::Study.new(requests: [], variants: [], env: {}, login:)

    assert_equal %w[s3cret], study.secrets
    sealed = study.map_secrets { "sealed" }
    assert_equal({ user: "ann", password: "sealed" }, sealed.to_h[:login])
    stored = JSON.parse(JSON.generate(sealed.to_h), symbolize_names: true)
    assert_equal sealed, Mohs::Study.from_h(stored)
    assert_equal %w[run --login ann:[secret]], Mohs::Secrets.mask_argv(%w[run --login ann:s3cret])
    assert_equal %w[--login=ann:[secret]], Mohs::Secrets.mask_argv(%w[--login=ann:s3cret])
  end
end
