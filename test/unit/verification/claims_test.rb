# frozen_string_literal: true

require "test_helper"

class VerificationClaimsTest < Mohs::TestCase
  Claims = Mohs::Verification::Claims

  def claims(name, engine = "ruby") = Claims.of(Mohs::Servers.fetch(name), engine)

  Mohs::Servers.names.each do |name|
    test "#{name} has a claim for each trait, which only trying can contradict" do
      claims = claims(name)

      assert_equal Claims::ALL.sort, claims.keys.sort
      assert(claims.values.all? { |claim| [true, false, nil].include?(claim) })
    end
  end

  test "processes and preloading take an engine with fork" do
    assert_equal [true, true], claims("puma").values_at(:processes, :preload)
    assert_equal [false, false], claims("puma", "jruby").values_at(:processes, :preload)
    assert_equal [true, true], claims("puma", "jruby").values_at(:threads, :unix)
  end
end
