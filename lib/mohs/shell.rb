# frozen_string_literal: true

module Mohs
  # Commands as one would type them.
  module Shell
    # BARE: words that need no quotes in a shell. ALIVE: what a shell acts upon within double
    # quotes.
    BARE = %r{\A[[:alnum:]_@%+=:,./-][[:alnum:]_@%+=:,./~^-]*\z}
    ALIVE = /["$`\\!]/
    private_constant :BARE, :ALIVE

    module_function

    # A word, such as a variant's name, quoted for a shell, so that nothing in it is run when it
    # is pasted: a run, and thus its command, may be another person's.
    #: (String) -> String
    def quoted(word)
      return word if word.match?(BARE)
      return "\"#{word}\"" unless word.match?(ALIVE)

      "'#{word.gsub("'") { "'\\''" }}'"
    end

    #: (Array[String]) -> String
    def command(words) = words.map { |word| quoted(word) }.join(" ")
  end
end
