# frozen_string_literal: true

require "did_you_mean"

module Mohs
  # The nearest spelling, for messages about an unknown word.
  module Suggest
    module_function

    # The one of `words` that `word` most likely means; nil if none is similar.
    #: (String, Array[String]) -> String?
    def nearest(word, words)
      DidYouMean::SpellChecker.new(dictionary: words).correct(word).first
    end

    # "Did you mean puma?"; `otherwise` if no word is similar. The block returns the word as it is
    # typed in its context.
    #: (String, Array[String], ?otherwise: String) ?{ (String) -> String } -> String
    def hint(word, words, otherwise: "Known: #{words.join(', ')}.")
      near = nearest(word, words) or return otherwise

      "Did you mean #{block_given? ? yield(near) : near}?"
    end
  end
end
