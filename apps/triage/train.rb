# frozen_string_literal: true

# Trains the classifier and prints how good it is: ruby apps/triage/train.rb
require_relative "triage"

module Triage
  # The classifier's results on requests that it was not trained with.
  class Trial
    COUNT = 2300
    OTHERS = 200
    CLUSTERS = 12
    KEYWORDS = 4

    def initialize(desk)
      @desk = desk
      @requests = Requests.new(SEED + 1).call(COUNT)
      @found = @requests.map { |request| [request, *desk.call(request.text)] }
    end

    def to_s
      [format("Trained with %d requests of %d categories, %d words.", SIZE,
              Requests::CATEGORIES.size, @desk.vectors.words.size),
       accuracy, confidence,
       "Clusters of #{OTHERS} requests without a category:", *clusters].join("\n")
    end

    private

    def accuracy
      format("Accuracy on %d others: %.1f %% of the categories that residents chose, %.1f %% of " \
             "the right ones.", COUNT, share(@found, &:chosen), share(@found, &:category))
    end

    def confidence
      sure = @found.select { |_, _, confidence| confidence >= SURE }
      format("%.0f %% have a confidence of at least %.0f %%; of these %.1f %% differ from what " \
             "residents chose. The rest is handed over.", 100.0 * sure.size / COUNT, 100 * SURE,
             100 - share(sure, &:chosen))
    end

    def share(found)
      100.0 * found.count { |request, category, _| yield(request) == category } / found.size
    end

    # Describes clusters by the words with the highest weights in them.
    def clusters
      texts = Requests.new(SEED + 2).other(OTHERS).map(&:text)
      vectors = Vectors.new(texts, without: @desk.fillers)
      found = texts.map { |text| vectors.call(text) }
      Clusters.new(found).call(CLUSTERS).map do |indices|
        sums = Hash.new(0.0)
        indices.each { |index| found[index].each { |word, weight| sums[word] += weight } }
        top = sums.max_by(KEYWORDS) { |_, sum| sum }.map { |word, _| vectors.words[word] }
        format("  %3d  %s", indices.size, top.join(", "))
      end
    end
  end
end

puts Triage::Trial.new(Triage::Desk.new)
