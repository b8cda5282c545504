# frozen_string_literal: true

require "test_helper"

class JitFiguresTest < Mohs::TestCase
  Inside = Struct.new(:figures) do
    def read(_pids) = figures
  end
  Saved = Struct.new(:read)

  def read(figures, saved = nil)
    Mohs::Probes::JitFigures.new(Inside.new(figures), saved:).read([1])
  end

  test "what processes tell of their JIT is kept, and nothing else" do
    told = { gc_count: 3, jit_compiled_methods: 12, jit_code_bytes: 900, jit_exits: 0 }

    assert_equal({ methods: 12, code_bytes: 900, exits: 0 }, read(told))
    assert_equal [{}, {}], [read({ gc_count: 3 }), read(nil)]
  end

  test "what is kept is what a cold start shows" do
    assert_equal Mohs::Analysis::ColdStart::FIGURES, Mohs::Probes::JitFigures::INSIDE.keys
  end

  test "what a JIT leaves behind stands in for what it does not tell" do
    assert_equal({ methods: 2, pieces: 3 }, read({}, Saved.new({ methods: 2, pieces: 3 })))
  end
end
