# frozen_string_literal: true

require "test_helper"

module Mohs
  class StoreRowTest < TestCase
    ROW = Store::Row.new(columns: %i[id state], json: %i[errors], facts: true)

    test "columns stay, JSON is written, the rest becomes facts" do
      row = ROW.pack(id: 1, state: :done, errors: { "a" => 1 }, jit: :on, more: [1])

      assert_equal({ id: 1, state: "done" }, row.slice(:id, :state))
      assert_equal(['{"a":1}', '{"jit":"on","more":[1]}'], row.values_at(:errors, :facts))
      assert_equal 4, row.size
    end

    test "what is not given is not written, so that a row can be updated in part" do
      assert_equal({ state: "done" }, ROW.pack(state: "done"))
      assert_equal({ errors: nil }, ROW.pack(errors: nil))
    end

    test "facts may also come as such" do
      assert_equal({ facts: '{"a":1,"b":2}' }, ROW.pack(facts: { a: 1 }, b: 2))
    end

    test "a row comes back as it was, facts apart" do
      values = { id: 1, state: "done", errors: { a: 1 } }
      back = ROW.unpack(ROW.pack(values.merge(jit: "on")))

      assert_equal values.merge(facts: { jit: "on" }), back
      assert_equal({ errors: nil, facts: {} }, ROW.unpack({ errors: nil, facts: nil }))
    end

    test "without facts an unknown key is refused" do
      row = Store::Row.new(columns: %i[id], json: %i[plan])

      error = assert_raises(ArgumentError) { row.pack(id: 1, nam: 1, b: 2) }

      assert_equal "no column for nam, b", error.message
      assert_equal({ id: 1, plan: [1] }, row.unpack(row.pack(id: 1, plan: [1])))
    end
  end
end
