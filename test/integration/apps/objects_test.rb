# frozen_string_literal: true

require "test_helper"
require "objspace"
require_relative "../../../apps/objects/objects"

# apps/objects without a server: what it makes.
class ObjectsTest < Mohs::TestCase
  TINY = %w[nil true integer integer-62 float symbol].freeze
  LARGE = %w[string-1000 array-100].freeze

  def objects(kind) = Objects.factory(kind).call

  Objects::KINDS.each_key do |kind|
    test "#{kind}: as many as are asked for, each of the size that it stands for" do
      made = objects(kind)
      sizes = made.map { |one| ObjectSpace.memsize_of(one) }.uniq

      assert_equal Objects::ROW, made.size
      next assert_equal([0], sizes) if TINY.include?(kind)

      assert_equal made.size, made.map(&:__id__).uniq.size
      LARGE.include?(kind) ? assert_operator(sizes.min, :>=, 840) : assert_equal([40], sizes)
    end
  end

  test "only objects whose references end in these bits are kept: all of a tiny kind, or none" do
    { "integer" => "1", "float" => "10", "symbol" => "1100", "nil" => "000" }.each do |kind, bits|
      assert_equal Objects::ROW, Objects.tagged(kind, bits).call.size, kind
    end
    assert_empty Objects.tagged("integer", "0").call
    assert_empty Objects.tagged("string", "1").call
  end

  test "blocks have as many slots as the garbage collector says" do
    limit = GC::INTERNAL_CONSTANTS.fetch(:HEAP_PAGE_OBJ_LIMIT)

    assert_equal [limit, 3 * limit], [Objects.slots(1), Objects.slots(3)]
  end

  test "an unknown kind ends the boot with the list" do
    error = assert_raises(RuntimeError) { objects("strings") }

    assert_includes error.message, "KIND=strings: known are nil, "
  end
end
