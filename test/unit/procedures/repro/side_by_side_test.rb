# frozen_string_literal: true

require "test_helper"

class ReproSideBySideTest < Mohs::TestCase
  include Mohs::Published

  CLAIM = "- {text: A, place: p, order: {more: jit, than: %s, metric: %s}}\n"
  RATES = { "old" => 1000, "new" => 1050, "jit" => 1300 }.freeze

  # The document's only claim, of a run that the block changes, and its rows.
  def documented(than: "old", metric: "throughput", &block)
    publication = publication(format(CLAIM, than, metric))
    run = reproduced(publication, RATES, rounds: 4, &block)
    document = Mohs::Repro::Document.of(run, publication, profiles: -> { {} })
    [document[:claims].first, document[:rows]]
  end

  def ratio(claim) = claim[:measured].map { |one| one[:value] }.reduce(:/)

  # A cohort of the baseline and another variant, which took half of its core.
  def slow_baseline(result)
    slow = JSON.parse(JSON.generate(result[:cohorts].first), symbolize_names: true)
    slow[:trials].reject! { |trial| trial[:variant] == "jit" }
    slow[:trials].flat_map { |trial| trial[:slices] }.each { |slice| slice[:good] /= 2 }
    result[:cohorts] << slow
  end

  test "figures of a claim are those of the cohorts that its ratio is of" do
    claim, rows = documented { |result| slow_baseline(result) }
    old = rows.find { |row| row[:variant] == "old" }.dig(:throughput_per_s, :value)

    assert_in_delta claim[:value], ratio(claim), 0.005
    assert_operator old, :<, 0.9 * claim[:measured].last[:value]
    assert_equal %w[jit old], (claim[:measured].map { |one| one[:variant] })
  end

  test "a median is that of the slices, as in the ratio" do
    claim, = documented(metric: "p50")

    assert_in_delta claim[:value], ratio(claim), 0.005
    assert_equal ["ms"], claim[:measured].map { |one| one[:unit] }.uniq
  end

  test "a round without both has no part in it" do
    whole, = documented
    part, = documented do |result|
      trial = result[:cohorts][0][:trials].find { |one| one[:variant] == "jit" }
      trial[:state] = "lost"
      result[:cohorts][0][:trials].flat_map { |one| one[:slices] }
                                  .each { |slice| slice[:good] /= 2 }
    end

    assert_in_delta ratio(whole), ratio(part), 0.02
    assert_in_delta part[:value], ratio(part), 0.005
  end

  test "variants in different cohorts of a round have the figures of these" do
    claim, = documented(than: "new") do |result|
      result[:cohorts] = result[:cohorts].flat_map do |cohort|
        [%w[old new], %w[old jit]].map do |names|
          trials = cohort[:trials].select { |one| names.include?(one[:variant]) }
          { **cohort, trials: }
        end
      end
    end

    assert_in_delta claim[:value], ratio(claim), 0.01
  end
end
