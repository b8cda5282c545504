# frozen_string_literal: true

require "test_helper"

# What the thesis found, once more from its public raw data.
class ReproKazakovTest < Mohs::TestCase
  include Mohs::RawFiles

  NATIVE = "truffleruby+graalvm-22.3.1"
  JVM = "#{NATIVE} --jvm"

  # Figures that are printed otherwise than the raw data have them, and the means that follow.
  MISPRINTS = { "t2-last-2" => 362.23, "t2-last-mean" => 364.88, "t6-last-1" => 726.99,
                "t6-last-mean" => 729.04, "t9-average-mean" => 461.00 }.freeze

  RATES = { "average rate of all batches" => :average_per_s,
            "rate of the last batch" => :last_per_s }.freeze

  def publication
    @publication ||= Mohs::Repro::Library.new.find("kazakov-2023", dir: Mohs.root)
  end

  def raw
    @raw ||= with_files(raw_files) { |folder| Mohs::Repro::RawData.load(folder, publication) }
  end

  def levels = raw.cold_start.levels

  # { figure's id => what the raw data say }.
  def derived
    publication.figures.select { |figure| RATES.key?(figure.metric) }.to_h do |figure|
      level = raw.cold_start.level(figure.level)
      number = figure.id[/-(\d)\z/, 1]
      of = number ? level.trials[number.to_i - 1] : level
      [figure.id, of.public_send(RATES[figure.metric])]
    end
  end

  test "every rate of its tables follows from the raw data, but for misprints" do
    assert_equal 9 * 2 * 4, derived.size
    published = publication.figures.to_h { |figure| [figure.id, figure.value] }
    other = derived.reject { |id, found| (published[id] - found).abs <= 0.0101 }

    assert_equal(MISPRINTS, other.transform_values { |found| found.round(2) })
  end

  test "exactly the level that the thesis leaves out is excluded, far from the limit" do
    out, kept = levels.partition(&:excluded?)

    assert_equal [NATIVE], out.map(&:name)
    assert_equal [nil] * 9, levels.map(&:stray) # of three trials it can't be told
    assert_operator out.first.p, :<, 1e-15
    assert_operator kept.map(&:p).min, :>, 0.4
  end

  # The thesis reads from its charts that all are warm after the 16th batch, CRuby's JITs after the
  # first one. So are JRuby, YJIT and MJIT. But the JIT of 2.7.8 and TruffleRuby on the JVM still
  # gain some per cent later, which a chart of all levels does not show: the thesis says itself that
  # the former seems to get better between the 16th and the 20th batch.
  test "the warm-up index of each trial, and of each level" do
    trials = { "2.7.8" => [1, 1, 1], "2.7.8 --jit" => [nil, nil, nil], "3.2.2" => [1, 5, 1],
               "3.2.2 --mjit" => [2, 1, 1], "3.2.2 --yjit" => [1, 1, 1],
               "jruby-9.4.2.0" => [16, 21, 16], "jruby-9.4.2.0 --dev" => [1, 2, 14],
               NATIVE => [3, 1, 1], JVM => [14, nil, 32] }
    medians = { "2.7.8" => 1, "2.7.8 --jit" => nil, "3.2.2" => 1, "3.2.2 --mjit" => 1,
                "3.2.2 --yjit" => 1, "jruby-9.4.2.0" => 16, "jruby-9.4.2.0 --dev" => 2,
                NATIVE => 1, JVM => 32 }

    assert_equal trials, levels.to_h { |level| [level.name, level.trials.map(&:warm_after)] }
    assert_equal medians, levels.to_h { |level| [level.name, level.warm_after] }
  end

  test "JRuby's responses, and no other's, wait for delayed ACKs" do
    found = levels.to_h { |level| [level.name, level.delayed_acks] }.compact

    assert_equal ["jruby-9.4.2.0", "jruby-9.4.2.0 --dev"], found.keys
    assert(found.values.all? { |share| share.between?(0.35, 0.45) }, found.inspect)
  end

  test "its claims are judged by its own data" do
    tests = Mohs::Repro::Selection.new(publication, rubies: Mohs::Rubies, cores: 1).of_source
    found = Mohs::Repro::Judge.new(publication, tests, raw).call
    by = found.to_h { |one| [one.claim.id, one] }
    table = ->(name) { found.select { |one| one.claim.table == name }.map(&:outcome) }

    headlines = found.select { |one| one.claim.headline && one.claim.table == "rates" }
    assert_equal %w[agrees] * 5, headlines.map(&:outcome)
    # TruffleRuby on the JVM is not warm by then; among so many claims three trials can't tell.
    assert_equal %w[undecided] * 6, table["warm-up"] - %w[not_testable]
    assert_equal ["agrees"], table["exclusion"]
    # It is in the tables, not in the raw data.
    assert_equal %w[undecided], table["load time"].uniq - %w[not_testable]
    assert_equal %w[agrees] * 2, (found.select { |one| one.claim.statement.metric == "stretch" }
                                       .map(&:outcome))
    assert_equal "agrees", by["equal-cruby"].outcome
    assert_equal "agrees", by["equal-yjit-jruby-dev"].outcome
    assert_equal ["not_testable"], table["stability"] # crashes are not in the raw data
    # 0.5 % is as published, but three trials can't tell it from more.
    mjit = by["rate-mjit"]
    assert_equal "undecided", mjit.outcome
    assert_in_delta 1.005, mjit.interval.value, 0.001
  end
end
