# frozen_string_literal: true

require "test_helper"

class StudyFallbackTest < Mohs::TestCase
  include Mohs::StudyBuild
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  # The study that mohs chooses, without the Rubies that are lost, each for its reason.
  def fall_back(lost, study: build, **options)
    variants = study.variants.map do |one|
      lost.key?(one.ruby) ? one.refused(lost[one.ruby]) : one
    end
    builder = Mohs::Study::Builder.new(app: app(**options), rubies: Mohs::FakeRubies.usual)
    builder.instead(Mohs::Study.new(**study.each_pair.to_h, variants:))
  end

  def names(...) = fall_back(...).variants.reject(&:refusal).map(&:name)

  def reason(code, **values) = Mohs::Reason.new(code:, values:)

  def unfit(gem = "old") = reason("gem_requires_ruby", gem:, version: "< 3")

  OWN = { ruby: "3.4.5", ruby_source: ".ruby-version" }.freeze

  test "where the only Ruby that mohs chose can't be measured, the next newest is" do
    study = fall_back({ "3.4.5" => unfit }, study: build(app: app(**OWN)), **OWN)

    assert_equal ["3.4.5", "3.4.5 --yjit", "3.1.2", "3.1.2 --yjit"], study.variants.map(&:name)
    assert_equal [true, true, false, false], study.variants.map { |one| !one.refusal.nil? }
    assert_said(*[study.baseline, study.baseline_reason])
    refute_includes study.omitted.map { |one| one[:name] }, "3.1.2"
    assert_includes study.omitted.map { |one| one[:name] }, "3.1.2 --mjit"
  end

  test "the newest that can be measured is taken, until none is left" do
    assert_equal %w[2.7.4], names({ "3.4.5" => unfit, "3.1.2" => unfit })
    lost = fall_back({ "3.4.5" => unfit, "3.1.2" => unfit })
    again = fall_back({ "2.7.4" => unfit }, study: lost)
    assert_equal lost.variants.map(&:name), again.variants.map(&:name)
  end

  test "the newest is not replaced by a Ruby that is measured anyway" do
    assert_equal ["3.1.2", "3.1.2 --yjit"], names({ "3.4.5" => unfit })
    assert_equal ["3.4.5", "3.4.5 --yjit"], names({ "3.1.2" => unfit })
  end

  test "nothing changes as long as one of a Ruby's variants can be measured" do
    study = build
    part = study.variants.map { |one| one.flags.empty? ? one : one.refused(unfit) }
    whole = Mohs::Study.new(**study.each_pair.to_h, variants: part)

    assert_same whole, Mohs::Study::Builder.new(app:, rubies: Mohs::FakeRubies.usual).instead(whole)
  end

  test "what the user named is not replaced" do
    study = build(variants: %w[3.4.5])

    assert_empty names({ "3.4.5" => unfit }, study:)
    assert_empty names(%w[3.4.5 3.1.2 2.7.4 jruby-9.4.14.0].to_h { |ruby| [ruby, unfit] },
                       study: build(all: true))
  end

  test "what every Ruby here lacks is tried with no other" do
    Mohs::App::Bundle::Failure::OF_ANY_RUBY.each do |code|
      assert_empty names({ "3.4.5" => reason(code) }, study: build(app: app(**OWN)), **OWN)
    end
    built = { gem: "mysql2-0.5.6", why: "mysql_config not found" }
    found = [built, { **built, any_ruby: true }].map do |values|
      names({ "3.4.5" => reason("gem_not_built", **values) }, study: build(app: app(**OWN)), **OWN)
    end
    assert_equal [["3.1.2", "3.1.2 --yjit"], []], found
  end

  test "what fails in the same way on two Rubies is not tried with a third" do
    pg, old = %w[pg old].map { |gem| reason("gem_not_built", gem:, why: "pg_config not found") }

    assert_empty names({ "3.4.5" => pg, "3.1.2" => pg })
    assert_equal %w[2.7.4], names({ "3.4.5" => pg, "3.1.2" => old })
    assert_equal %w[2.7.4], names({ "3.4.5" => pg, "3.1.2" => unfit })
  end
end
