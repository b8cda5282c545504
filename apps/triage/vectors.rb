# frozen_string_literal: true

module Triage
  # Texts as vectors: how often each word occurs, weighted by how few texts have it (tf-idf), of
  # length 1. A vector is sparse: a list of [index of the word, weight].
  class Vectors
    attr_reader :words

    def self.tokens(text)
      text.downcase.scan(/[a-z]+/)
    end

    # texts: what the vocabulary and the weights are taken from. Words of only one text are left
    # out, and so are those in `without`.
    def initialize(texts, without: [])
      counts = texts.flat_map { |text| tokens(text).uniq }.tally
      @words = (counts.select { |_, count| count > 1 }.keys - without).freeze
      @index = @words.each_with_index.to_h.freeze
      @weights = @words.map { |word| Math.log((1.0 + texts.size) / (1 + counts[word])) + 1 }.freeze
    end

    def call(text)
      counts = Hash.new(0)
      tokens(text).each { |word| (index = @index[word]) && counts[index] += 1 }
      weighted = counts.map { |index, count| [index, count * @weights[index]] }
      length = Math.sqrt(weighted.sum { |_, weight| weight * weight })
      weighted.each { |entry| entry[1] /= length }
    end

    private

    def tokens(text)
      self.class.tokens(text)
    end
  end
end
