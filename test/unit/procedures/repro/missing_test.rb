# frozen_string_literal: true

require "test_helper"

class ReproMissingTest < Mohs::TestCase
  def absent(asked_ruby, *flags, **values)
    { asked: [asked_ruby, *flags].join(" "), asked_ruby:, tried: [], broken: nil, **values }
  end

  test "Rubies that are not installed are named once, by their versions, without flags" do
    found = Mohs::Repro::Missing.of([[absent("2.6.2", "--jit"), absent("2.10")], [absent("2.6.2")],
                                     [absent("ruby-2.6")], [absent("trunk-0252")]])
    assert_equal [%w[2.6 2.6.2 2.10 trunk-0252], 4], found.to_a
    assert_predicate found, :any?
    assert_equal ["/opt/my rubies/2.7"],
                 Mohs::Repro::Missing.of([[absent("/opt/my rubies/2.7", "--jit")]]).rubies
  end

  test "one that is installed and can't be used would not help, nor what comes with it" do
    found = Mohs::Repro::Missing.of([[absent("2.0", broken: "does not start"), absent("2.1")],
                                     [absent("3.0", lost: "no gems")]])
    assert_equal [[], 0], found.to_a
    refute_predicate found, :any?
  end
end
