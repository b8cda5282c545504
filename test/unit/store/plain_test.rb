# frozen_string_literal: true

require "test_helper"

module Mohs
  class StorePlainTest < TestCase
    Pair = Struct.new(:left, :right, keyword_init: true)

    test "structs, symbols and string keys become plain data, however deep" do
      as_they_are = [nil, true, false, 1.5, "é"]
      value = { "a" => [Pair.new(left: :x, right: { b: Pair.new(left: 1) })], c: as_they_are }
      plain = { a: [{ left: "x", right: { b: { left: 1, right: nil } } }], c: as_they_are }

      assert_equal plain, Store::Plain.call(value)
    end

    test "text becomes UTF-8 without NUL, and what it was stays as it is" do
      given = "ok\0 \xFF caf\xC3\xA9".b.freeze
      plain = Store::Plain.call(given)

      assert_equal "ok \u{FFFD} café", plain
      assert_equal [Encoding::UTF_8, Encoding::BINARY], [plain.encoding, given.encoding]
    end

    test "what cannot be kept is refused by name" do
      error = assert_raises(ArgumentError) { Store::Plain.call({ a: [1..2] }) }

      assert_equal "a Range cannot be stored: 1..2", error.message
    end
  end
end
