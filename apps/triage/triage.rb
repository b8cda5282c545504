# frozen_string_literal: true

require_relative "requests"
require_relative "vectors"
require_relative "classifier"
require_relative "clusters"

# Assigns categories to maintenance requests, and leaves requests of which it is not sure to a
# person. In plain Ruby: vectors of a dozen words are sparse, which numo's arrays are not.
module Triage
  SEED = 17
  SIZE = 4600
  SURE = 0.8

  # A trained classifier with its requests: assigns categories to texts.
  class Desk
    attr_reader :vectors

    # Takes a second or two.
    def initialize(requests = Requests.new(SEED).call(SIZE))
      @requests = requests
      @vectors = Vectors.new(requests.map(&:text))
      labels = Requests::CATEGORIES.each_with_index.to_h
      examples = requests.map { |one| [@vectors.call(one.text), labels.fetch(one.chosen)] }
      @classifier = Classifier.new(words: @vectors.words.size, labels: labels.size)
                              .train(examples, seed: SEED)
    end

    # The most likely category of a text, and how likely it is.
    def call(text)
      label, confidence = @classifier.call(@vectors.call(text))
      [Requests::CATEGORIES[label], confidence]
    end

    # The category of each text, nil if a person has to choose.
    def triage(texts)
      texts.map do |text|
        category, confidence = call(text)
        category if confidence >= SURE
      end
    end

    # Words that occur with all categories alike: no category has more than this share of their
    # occurrences. What is new in requests without a category is in the other words.
    def fillers(most: 0.25)
      counts = Hash.new { |hash, word| hash[word] = Hash.new(0) }
      @requests.each do |one|
        Vectors.tokens(one.text).uniq.each { |word| counts[word][one.chosen] += 1 }
      end
      counts.select { |_, shares| shares.values.max <= most * shares.values.sum }.keys
    end
  end
end
