# frozen_string_literal: true

require "test_helper"

class ReproductionTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  Reproduction = Mohs::Repro::CommandLine

  OWN = "#{Mohs::Repro::Library::FOLDER}/gc-compact/study.yml".freeze

  test "a study of mohs's own is called by its name, another by its folder" do
    assert_equal "gc-compact", Reproduction.place(OWN)
    assert_equal "/srv/my studies/one", Reproduction.place("/srv/my studies/one/study.yml")
  end

  test "the command asks for the same size and the same claims" do
    assert_said(Reproduction.proposal({ file: OWN }).to_s)
    assert_equal "mohs repro gc-compact --quick --only \"p99 of\" --budget 5m",
                 Reproduction.proposal({ file: OWN, size: "quick", only: "p99 of" },
                                       budget_s: 300).to_s
    assert_equal 'mohs repro "/srv/my studies/one" --resume',
                 Reproduction.proposal({ file: "/srv/my studies/one/study.yml", size: nil },
                                       resume: true).to_s
  end

  # By Mohs::Report::Render.cuts.
  def reasons(published)
    cuts = [
      { code: "dropped_variant", values: { rounds: 3, enough_s: 290, budget_s: 60 } },
      { code: "cut_variant", values: { announced_s: 60, enough_s: 290 } },
      { code: "cut_rounds", values: { announced_s: 60, enough_s: 290, rounds: 8 } },
    ].map { |cut| { name: "a", **cut } }
    rules = published ? Mohs::Repro::Rules.new(published:) : Mohs::Procedure.default
    Mohs::Report::Render.cuts(cuts, Mohs::Study.new(rules:).procedure)
  end

  test "what was cut from a published study names no option that mohs repro lacks" do
    own = reasons(nil)
    cuts = reasons({ file: OWN, size: "quick", only: nil, name: "gc-compact" })

    assert_equal %w[--variant --variant --rounds],
                 (own.map { |cut| cut[:reason][/--(?:variant|rounds)/] })
    cuts.each do |cut|
      assert_includes cut[:reason], "`mohs repro gc-compact --quick --budget 5m` measures all"
      refute_match(/--variant|--rounds/, cut[:reason])
    end
    assert_equal own.map { |cut| cut.except(:reason) }, cuts.map { |cut| cut.except(:reason) }
  end
end
