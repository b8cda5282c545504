# frozen_string_literal: true

require "test_helper"

# Is what a run says as true as it claims? Whole documents of seeded runs on a hostile host (method,
# section 7): how often they call a difference that is not there, and find one that is. Then what
# has to happen to a document when its data are changed in a way that changes nothing.
class CalibrationTest < Mohs::TestCase
  Effect = Mohs::Stats::Effect
  EQUAL = { "a" => 1000, "b" => 1000 }.freeze
  SPREADS = [0.005, 0.01, 0.03].freeze

  test "of equal things a difference is called no more often than promised" do
    verdicts = simulate(EQUAL).flat_map { |document| verdicts(document) }

    assert_operator share(verdicts) { |verdict| called?(verdict) }, :<=, at_most(0.05, tries)
    assert_operator share(verdicts) { |verdict| 1.0.between?(*verdict[:interval]) },
                    :>=, 1 - at_most(0.05, tries)
    alike = share(verdicts) { |verdict| verdict[:outcome] == "equivalent" || hindered?(verdict) }
    assert_operator alike, :>, 0.2
  end

  # A stall of half a slice in 80 moves the totals by more than trimming does.
  test "equal things are called equal where nothing stalls" do
    verdicts = simulate(EQUAL, runs: tries / 3, stalled: 0).flat_map { |one| verdicts(one) }

    assert_operator share(verdicts) { |verdict| verdict[:outcome] == "equivalent" }, :>, 0.2
  end

  test "the same holds for any difference among five, and for their groups" do
    runs = tries / 3
    documents = simulate(%w[a b c d e].to_h { |name| [name, 1000] }, runs:)

    wrong = share(documents) { |document| verdicts(document).any? { |one| called?(one) } }
    assert_operator wrong, :<=, at_most(0.05, runs)
    apart = share(documents) do |document|
      document[:groups].map { |group| group[:variants].size } != [4]
    end
    assert_operator apart, :<=, at_most(0.05, runs)
  end

  test "five per cent are found, and the interval holds them" do
    verdicts = simulate({ "a" => 1000, "b" => 1050 }).flat_map { |document| verdicts(document) }

    assert_operator share(verdicts) { |verdict| verdict[:outcome] == "faster" }, :>=, 0.99
    assert_operator share(verdicts) { |verdict| 1.05.between?(*verdict[:interval]) },
                    :>=, 1 - at_most(0.05, tries)
  end

  test "things that differ by the margin are not called equal" do
    verdicts = simulate({ "a" => 1000, "b" => 1010 }).flat_map { |document| verdicts(document) }

    equal = share(verdicts) { |verdict| verdict[:outcome] == "equivalent" }
    assert_operator equal, :<=, at_most(0.05, tries)
  end

  test "the suite would notice intervals made of blocks, as if no boot differed from another" do
    pairs = Array.new(tries / 2) do |seed|
      result = HostileResult.new(EQUAL, rounds: 5, blocks: 25, block_sd: 0.005, seed:).to_h
      blocks = result[:cohorts].map { |cohort| block_differences(cohort) }
      [blocks.map { |each| Mohs::Stats::Center.trimmed_mean(each) }, blocks.flatten]
    end
    right, wrong = pairs.transpose.map { |runs| share(runs) { |differences| beyond?(differences) } }

    assert_operator right, :<=, at_most(0.05, tries / 2)
    assert_operator wrong, :>, 0.1
  end

  test "baseline and candidate exchanged turn every figure round" do
    5.times do |seed|
      result = hostile({ "a" => 1000, "b" => 1020 }, seed).to_h
      there, back = [result, held_against(result, "b")].map { |one| verdicts(model(one)).first }

      assert_in_delta 1, there[:effect] * back[:effect], 1e-9
      assert_in_delta 1, there[:interval].first * back[:interval].last, 1e-9
      turned = { "faster" => "slower", "slower" => "faster" }
      assert_equal turned.fetch(there[:outcome], there[:outcome]), back[:outcome]
    end
  end

  # What changes no ratio: [what is doubled in a slice, by what the rate grows].
  {
    "twice as many requests" => [%i[good sent], 2],
    "a clock that runs twice as fast" => [%i[wall_ns], 0.5],
  }.each do |name, (keys, factor)|
    test "#{name} in every slice leaves the verdict" do
      result = hostile({ "a" => 1000, "b" => 1020 }, 3).to_h
      before, after = [result, doubled(result, keys)].map { |one| model(one) }

      verdicts = [before, after].map { |document| verdicts(document).first }
      %i[effect interval].each do |key|
        Array(verdicts[0][key]).zip(Array(verdicts[1][key])) { |x, y| assert_in_delta x, y, 1e-9 }
      end
      rates = [before, after].map { |document| document[:rows].first[:throughput_per_s][:value] }
      assert_in_epsilon factor, rates[1] / rates[0], 1e-9
    end
  end

  test "in which order cohorts, trials and slices come does not matter" do
    result = hostile({ "a" => 1000, "b" => 1020, "c" => 990 }, 3).to_h
    random = Random.new(5)
    mixed = result.merge(cohorts: result[:cohorts].shuffle(random:).map do |cohort|
      trials = cohort[:trials].shuffle(random:)
      cohort.merge(trials: trials.map { |one| one.merge(slices: one[:slices].shuffle(random:)) })
    end)

    assert_equal facts(result), facts(mixed)
  end

  private

  def tries = times(75, 300)

  def hostile(rates, seed, **options)
    HostileResult.new(rates, rounds: 5, block_sd: SPREADS[seed % SPREADS.size], seed:, **options)
  end

  def simulate(rates, runs: tries, **options)
    Array.new(runs) { |seed| model(hostile(rates, seed, **options).to_h) }
  end

  def model(result) = Mohs::Stored.document(result)

  def verdicts(document)
    document[:rows].map { |row| row[:verdict] }.reject { |one| one[:outcome] == "baseline" }
  end

  def facts(result)
    document = model(result)
    rounded = document[:rows].map do |row|
      [row[:variant], row[:verdict][:outcome], row[:verdict][:effect]&.round(9)]
    end
    [document[:groups], rounded]
  end

  def block_differences(cohort)
    slices = cohort[:trials].map { |trial| trial[:slices].reject { |slice| slice[:warm_up] } }
    Effect.block_differences(*slices, :throughput_per_s).values
  end

  def beyond?(differences)
    interval = Effect.of(differences).interval
    !1.0.between?(interval.low, interval.high)
  end

  def hindered?(verdict)
    verdict[:findings].any? { |finding| finding[:code] == "equal_but_total" }
  end

  def called?(verdict) = %w[faster slower].include?(verdict[:outcome])

  def share(things, &block) = things.count(&block).fdiv(things.size)

  # Three standard errors of a share that is true.
  def at_most(share, runs) = share + (3 * Math.sqrt(share * (1 - share) / runs))

  def held_against(result, name)
    run = result[:run]
    plan = run[:plan].merge(cohorts: run[:plan][:cohorts].map { |one| one.merge(baseline: name) })
    result.merge(run: run.merge(plan:, study: run[:study].merge(baseline: name)))
  end

  def doubled(result, keys)
    cohorts = result[:cohorts].map do |cohort|
      cohort.merge(trials: cohort[:trials].map do |trial|
        slices = trial[:slices].map { |s| s.merge(s.slice(*keys).transform_values { 2 * _1 }) }
        trial.merge(slices:)
      end)
    end
    result.merge(cohorts:)
  end
end
