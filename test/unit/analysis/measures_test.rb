# frozen_string_literal: true

require "test_helper"

class MeasuresTest < Mohs::TestCase
  Measures = Mohs::Analysis::Measures

  test "each is found by its name, with a source, a kind and a unit" do
    Measures::ALL.each do |name, measure|
      assert_equal name, measure.name
      assert_includes %i[kernel inside], measure.source
      assert_includes %i[counter gauge], measure.kind
      assert_includes %i[ns count bytes], measure.unit
    end
  end

  test "a unit in the name is the figure's own" do
    Measures::ALL.each_value do |measure|
      suffix = measure.name[/_(ns|bytes)\z/, 1] || "count"
      assert_equal suffix.to_sym, measure.unit, measure.name
    end
  end

  test "what is part of the CPU time is a time that is counted" do
    cpu = Measures::ALL.values.select(&:cpu)

    assert_equal Measures::CPU, cpu.map(&:name)
    assert(cpu.all? { |measure| measure.unit == :ns && measure.counter? })
  end

  test "the names of a source are all of it" do
    assert_equal Measures::ALL.keys, Measures.names(:kernel) + Measures.names(:inside)
    assert_includes Measures.names(:kernel), :user_ns
    assert_includes Measures.names(:inside), :gc_count
  end
end
