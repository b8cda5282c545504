# frozen_string_literal: true

module Triage
  # A linear classifier: logistic regression over all labels (softmax), trained by stochastic
  # gradient descent, one example at a time.
  class Classifier
    RATE = 2.0
    EPOCHS = 4
    KEPT = 1 - 1e-5 # factor for a weight that is changed: L2 regularization

    def initialize(words:, labels:)
      @labels = labels
      @weights = Array.new(words) { Array.new(labels, 0.0) }
      @bias = Array.new(labels, 0.0)
    end

    # examples: [[vector, label]], labels from 0 on. seed: for their order.
    def train(examples, seed:)
      random = Random.new(seed)
      EPOCHS.times do |epoch|
        rate = RATE / (1 + epoch)
        shuffled(examples, random).each { |vector, label| step(vector, label, rate) }
      end
      self
    end

    # The most likely label and its probability.
    def call(vector)
      probabilities = probabilities(vector)
      best = probabilities.max
      [probabilities.index(best), best]
    end

    private

    # Array#shuffle may differ between Rubies; this does not.
    def shuffled(examples, random)
      examples.sort_by.with_index { |_, index| [random.rand, index] }
    end

    def step(vector, label, rate)
      errors = probabilities(vector)
      errors[label] -= 1
      vector.each do |word, weight|
        row, factor = @weights[word], rate * weight
        errors.each_with_index { |error, at| row[at] = (KEPT * row[at]) - (factor * error) }
      end
      errors.each_with_index { |error, at| @bias[at] -= 0.1 * rate * error }
    end

    def probabilities(vector)
      scores = @bias.dup
      vector.each do |word, weight|
        @weights[word].each_with_index { |one, at| scores[at] += weight * one }
      end
      highest = scores.max
      scores.map! { |score| Math.exp(score - highest) }
      sum = scores.sum
      scores.map! { |score| score / sum }
    end
  end
end
