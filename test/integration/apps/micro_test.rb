# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/micro/micro"

# apps/micro without a server: what its kernels compute.
class MicroTest < Mohs::TestCase
  def kernel(name) = Micro.kernel(name)

  Micro::KERNELS.each_key do |name|
    test "#{name} returns the same each time" do
      own = kernel(name)
      first = own.call

      assert_equal first, own.call
      refute_empty first
      assert_match(%r{\A[a-z]+/[a-z]+\z}, own.type)
    end
  end

  test "the emulated processor finds as many primes below 256 as there are" do
    primes = (2..255).count { |number| (2...number).none? { |one| (number % one).zero? } }

    assert_equal "#{primes}\n", kernel("emulator").call
  end

  test "the bodies keep their energy, but for what the steps are too long" do
    floats = kernel("floats")
    bodies = Array.new(5) { |index| floats.send(:body, index) }

    assert_in_delta floats.send(:energy, bodies), Micro::Floats::EXPECTED.to_f, 0.05
    refute_equal floats.call, format("%.9f\n", floats.send(:energy, bodies))
  end

  test "a kernel that computes something else is an error" do
    wrong = Class.new(Micro::Computed) { def compute = 42 }
    wrong.const_set(:EXPECTED, 54)
    error = assert_raises(RuntimeError) { wrong.new.call }

    assert_equal "42 instead of 54", error.message
  end

  test "the page escapes what it shows, the JSON is JSON" do
    assert_includes kernel("page").call, "<td>a &lt; 7 &amp; b</td><td>8.75</td>"
    parsed = JSON.parse(kernel("json").call)

    assert_equal [50, "/items/49"], [parsed["count"], parsed["items"].last["path"]]
  end

  test "of another name there is none" do
    assert_nil kernel("emulators")
  end
end
