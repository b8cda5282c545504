# frozen_string_literal: true

require "yaml"

module Triage
  # A maintenance request: its `text`, the `category` that it is about (nil if none fits), and the
  # category that the resident chose.
  Request = Struct.new(:text, :category, :chosen)

  # Writes requests as residents do, from categories.yml: the same ones for the same seed, on every
  # Ruby. Some are about two things, some are vague, some have a wrong category.
  class Requests
    WORDS = YAML.safe_load(File.read(File.join(__dir__, "categories.yml"))).freeze
    CATEGORIES = WORDS.fetch("categories").keys.freeze

    WRONG = 0.1
    TWO = 0.1
    VAGUE = 0.03
    # Of the requests without a category, the share that would fit one nevertheless.
    OVERLOOKED = 0.3

    def initialize(seed)
      @random = Random.new(seed)
    end

    def call(count)
      Array.new(count) { request(any(CATEGORIES)) }
    end

    # Requests for which the resident found no category.
    def other(count)
      Array.new(count) do
        category = any(CATEGORIES) if chance(OVERLOOKED)
        subject = category ? subject("categories", category) : subject("other", any_other)
        Request.new(sentence(subject), category, nil)
      end
    end

    private

    def request(category)
      chosen = chance(WRONG) ? any(CATEGORIES) : category
      return Request.new(any(WORDS.fetch("vague")), category, chosen) if chance(VAGUE)

      subjects = [subject("categories", category)]
      subjects << subject("categories", any(CATEGORIES)) if chance(TWO)
      Request.new(sentence(subjects.join(". Also the ")), category, chosen)
    end

    def any_other
      any(WORDS.fetch("other").keys)
    end

    def subject(kind, name)
      about = WORDS.fetch(kind).fetch(name)
      [any(about.fetch("things")), any(WORDS.fetch("places")), any(about.fetch("faults"))]
        .reject(&:empty?).join(" ")
    end

    def sentence(subject)
      opening, time, guess, closing =
        %w[openings times guesses closings].map { |kind| any(WORDS.fetch(kind)) }
      [opening, ["The #{subject}", time].reject(&:empty?).join(" "), guess, closing]
        .reject(&:empty?).join(". ")
    end

    def any(list)
      list[@random.rand(list.size)]
    end

    def chance(share)
      @random.rand < share
    end
  end
end
