# frozen_string_literal: true

require "test_helper"
require "json"

# Real cohorts, recorded by rake calibrate, replayed through the code that decides: noise that
# nobody made up (method, section 7).
class StatsReplayTest < Mohs::TestCase
  Sequential = Mohs::Stats::Sequential
  Spread = Mohs::Stats::Spread
  Center = Mohs::Stats::Center

  ORDERS = 500
  LONGEST = Sequential::LOOKS.last

  SESSIONS = Dir[File.expand_path("../../fixtures/cohorts/*.json", __dir__)].sort.to_h do |path|
    entries = JSON.parse(File.read(path), symbolize_names: true).fetch(:entries)
    [File.basename(path, ".json"), entries.select { |entry| entry[:kind] == "live" }]
  end

  # Log differences of requests/s of all cohorts of one case.
  def pool(entries, name)
    entries.select { |entry| entry[:case] == name }
           .flat_map { |entry| entry[:differences].filter_map(&:first) }
  end

  # Sessions with enough cohorts of a case for a comparison of any length, and those.
  def pools(name)
    found = SESSIONS.transform_values { |entries| pool(entries, name) }
                    .select { |_, logs| logs.size >= LONGEST }
    refute_empty found, "no recorded session has #{LONGEST} cohorts of #{name}"
    found
  end

  # The verdicts of 500 comparisons that meet these cohorts in orders of their own. The block may
  # change a cohort's difference.
  def replay(logs, seed)
    random = Random.new(seed)
    decision = Sequential::Decision.new(Sequential.new, margin: 0.01)
    Array.new(ORDERS) do
      order = logs.shuffle(random:).first(LONGEST)
      order = order.map { |log| yield log, random } if block_given?
      verdict(decision, order)
    end
  end

  # :slower and :faster for a difference, else what the decision says.
  def verdict(decision, order)
    seen = []
    order.each do |log|
      seen << log
      outcome = decision.call(seen)
      next if outcome == :continue
      return outcome unless outcome == :differs

      return Center.mean(seen).positive? ? :faster : :slower
    end
  end

  def share(verdicts, *outcomes) = verdicts.count { |one| outcomes.include?(one) }.fdiv(ORDERS)

  def three_errors(share) = 3 * Math.sqrt(share * (1 - share) / ORDERS)

  # Which of two equal servers is A is for nobody to say: both orders of names are as likely, and
  # the chance by which one came out ahead on that day is no difference of theirs.
  test "a server differs from itself in 5 % of 500 replays at most" do
    pools("aa").each do |name, logs|
      verdicts = replay(logs, 1) { |log, random| random.rand < 0.5 ? log : -log }
      assert_operator share(verdicts, :faster, :slower), :<=, 0.05 + three_errors(0.05), name
    end
  end

  test "neither place is favoured: a server against itself comes out even" do
    pools("aa").each do |name, logs|
      above = logs.count(&:positive?)
      assert_in_delta logs.size / 2.0, above, 4 * Math.sqrt(logs.size / 4.0), name
    end
  end

  # As often as the spread that the machine had on that day allows.
  test "2 % is found where the cohorts' spread allows it, and never the other way round" do
    pools("2").each do |name, logs|
      verdicts = replay(logs, 2)
      assert_operator share(verdicts, :faster), :<=, 0.025 + three_errors(0.025), name
      assert_operator share(verdicts, :slower), :>=, 0.95, name if reachable?(logs)
    end
  end

  # Does a comparison to the last look find ln 1.02 with a chance of 95 % (qnorm(.95) = 1.645)?
  def reachable?(logs)
    sd = Spread.sd(logs)
    (Sequential.new.bound(LONGEST) + (1.645 / Math.sqrt(LONGEST))) * sd < Math.log(1.02)
  end

  # The proof that the replay would notice.
  test "looking at each cohort with a plain t test fails this very replay" do
    naive = Sequential.new(alpha: 0.2298, levels: ComputedLevels) # 5 % at each look
    decision = Sequential::Decision.new(naive, margin: nil)
    rates = pools("aa").map do |_, logs|
      random = Random.new(3)
      Array.new(ORDERS) do
        order = logs.shuffle(random:).first(LONGEST).map { |log| random.rand < 0.5 ? log : -log }
        verdict(decision, order)
      end.then { |verdicts| share(verdicts, :faster, :slower) }
    end
    assert_operator rates.max, :>, 0.05 + three_errors(0.05)
  end
end
