# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/triage/triage"

# apps/triage without a server: what its parts compute, and what train.rb prints.
class TriageTest < Mohs::TestCase
  def self.desk = @desk ||= Triage::Desk.new

  def desk = self.class.desk

  test "requests are the same for the same seed, of 23 categories and none" do
    one, same, other = [1, 1, 2].map { |seed| Triage::Requests.new(seed).call(300) }

    assert_equal one, same
    refute_equal one, other
    assert_equal 23, Triage::Requests::CATEGORIES.size
    assert_empty one.map(&:category).uniq - Triage::Requests::CATEGORIES
    strangers = Triage::Requests.new(1).other(100)
    assert_equal [nil], strangers.map(&:chosen).uniq
    assert_includes strangers.map(&:category), nil
  end

  test "a vector has tf-idf's weights and length 1" do
    vectors = Triage::Vectors.new(["wet wet floor", "wet roof", "Roof!"])
    weights = vectors.call("wet WET roof dragon").to_h { |index, one| [vectors.words[index], one] }
    idf = Math.log(4.0 / 3) + 1

    assert_equal %w[wet roof], vectors.words
    assert_in_delta 2 * idf / Math.sqrt(5 * (idf**2)), weights["wet"]
    assert_in_delta idf / Math.sqrt(5 * (idf**2)), weights["roof"]
    assert_empty vectors.call("dragon")
  end

  test "descent finds what separates two labels, with probabilities that add up to 1" do
    examples = [[[[0, 1.0]], 0], [[[1, 1.0]], 1], [[[0, 0.8], [2, 0.6]], 0]] * 30
    trained = Triage::Classifier.new(words: 3, labels: 2).train(examples, seed: 1)
    (first, sure), (second, as_sure) = trained.call([[0, 1.0]]), trained.call([[1, 1.0]])

    assert_equal [0, 1], [first, second]
    assert_operator sure, :>, 0.9
    assert_operator as_sure, :>, 0.9
    label, even = Triage::Classifier.new(words: 3, labels: 2).call([[0, 1.0]])
    assert_equal [0, 0.5], [label, even]
  end

  test "clusters are those of a slow search for the least variance" do
    random = Random.new(3)
    vectors = Array.new(12) do |index|
      raw = [[index % 3, 1.0], [3, random.rand / 2], [4, random.rand / 2]]
      length = Math.sqrt(raw.sum { |_, weight| weight**2 })
      raw.map { |word, weight| [word, weight / length] }
    end

    assert_equal slow_clusters(vectors, 3), Triage::Clusters.new(vectors).call(3).map(&:sort).sort
    assert_equal slow_clusters(vectors, 7), Triage::Clusters.new(vectors).call(7).map(&:sort).sort
  end

  # Ward's rule as it is written: the variance within clusters, after each possible union.
  def slow_clusters(vectors, count)
    rows = vectors.map { |vector| Array.new(5) { |word| vector.to_h.fetch(word, 0.0) } }
    clusters = rows.each_index.map { |index| [index] }
    until clusters.size == count
      one, other = clusters.combination(2).min_by do |a, b|
        spread(rows.values_at(*a, *b)) - spread(rows.values_at(*a)) - spread(rows.values_at(*b))
      end
      clusters = clusters - [one, other] + [(one + other).sort]
    end
    clusters.sort
  end

  def spread(rows)
    rows.transpose.sum do |values|
      mean = values.sum / values.size
      values.sum { |value| (value - mean)**2 }
    end
  end

  test "most requests get the right category, nearly all of those that it is sure of" do
    requests = Triage::Requests.new(99).call(600)
    found = requests.map { |request| [request.category, *desk.call(request.text)] }
    right = found.count { |category, guess, _| category == guess }
    sure = found.select { |_, _, confidence| confidence >= Triage::SURE }

    assert_operator right, :>, 0.85 * 600
    assert_operator sure.count { |category, guess, _| category != guess }, :<, 0.06 * sure.size
    assert_operator sure.size, :>, 300
  end

  test "what it is not sure of is handed over" do
    assert_equal ["toilet", nil], desk.triage(["My toilet does not flush", "Please fix it"])
  end

  test "words of every category are fillers, words of one are not" do
    assert_includes desk.fillers, "days"
    refute_includes desk.fillers, "shingles"
  end

  test "train.rb prints its accuracy, what it hands over, and new categories" do
    argv = [RbConfig.ruby, File.join(Mohs.root, "apps/triage/train.rb")]
    command = Mohs::Process::Command.new(argv:, env: {}, chdir: "/")
    out = Mohs::Process::Capture.call(command, timeout_s: 60).stdout

    assert_match(/^Accuracy on 2300 others: \d\d\.\d % .*, \d\d\.\d % of the right ones\.$/, out)
    assert_match(/^\d\d % have a confidence of at least 80 %;/, out)
    assert_match(/^ +\d+  .*\bsnow\b/, out)
    assert_match(/^ +\d+  .*\bmailbox\b/, out)
  end
end
