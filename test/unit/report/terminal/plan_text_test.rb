# frozen_string_literal: true

require "test_helper"

class PlanTextTest < Mohs::TestCase
  include Mohs::CLIHelper

  def head(**changes)
    declared = fixture_study(rounds: 1)
    study = Mohs::Study.new(**declared.each_pair.to_h, **changes)
    style = Mohs::Report::Terminal::Style.new(width: 200)
    Mohs::Report::Terminal::PlanText.new(study, Mohs::Plan.build(study, seed: 1), style:).head
  end

  def sized(*threads)
    fixture_study.variants.zip(threads).map do |variant, count|
      Mohs::Study::Variant.new(**variant.each_pair.to_h, processes: 1, threads: count)
    end
  end

  test "more connections than threads are told before the start" do
    lines = head(connections: 8, variants: sized(5, 16)).lines

    assert_match(/ · 8 connections · /, lines.first)
    assert_match(/\A8 connections on 5 threads \(3\.1\.2\): responses wait for a thread/, lines[2])
  end

  test "nothing is told where each has a thread, or the application's configuration decides" do
    [{ connections: 5 }, { connections: nil }, { connections: 8, own_config: true }].each do |given|
      assert_equal 2, head(variants: sized(5, 16), **given).lines.size, given.inspect
    end
  end
end
