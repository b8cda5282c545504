# frozen_string_literal: true

require "test_helper"

class UncompiledTest < Mohs::TestCase
  REASON = Mohs::App::KnownErrors.explain(log: "asset 'a.css' was not found")

  def remedy(prepare, databases: true, reason: REASON)
    Mohs::App::Uncompiled.complete(reason, prepare:, databases:)&.remedy
  end

  test "assets are compiled after what already prepares the databases" do
    usual = '--prepare "bin/rails db:prepare assets:precompile"'

    assert_equal [usual, usual], [remedy(nil), remedy("bin/rails db:prepare")]
    assert_equal '--prepare "/srv/fill && bin/rails assets:precompile"', remedy("/srv/fill")
    assert_equal "--prepare 'a \"b\" && bin/rails assets:precompile'", remedy('a "b"')
  end

  test "a command that compiles them is not proposed again" do
    refute_includes remedy("bin/rails db:schema:load assets:precompile"), "&&"
  end

  test "without private databases, and for another reason, the usual remedy stays" do
    assert_equal REASON.remedy, remedy("bin/fill", databases: false)
    refute_includes REASON.remedy, "--prepare"
    other = Mohs::App::KnownErrors.explain(log: "cannot load such file -- faker")
    assert_equal other.remedy, remedy("bin/fill", reason: other)
    assert_nil remedy("bin/fill", reason: nil)
  end
end
