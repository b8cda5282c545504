# frozen_string_literal: true

module Mohs
  # Text of others (servers, logs, applications, other users) as a terminal may show it. Its control
  # characters would move the cursor, change what was printed before, or answer the shell; those of
  # writing direction would show it in another order than it has.
  #
  # Its patterns, like all that read text of others, must take no longer than that text is long.
  module Printable
    # What programs colour their logs with: CSI and OSC (ECMA-48, 5.4 and 5.6), also as one
    # character of C1.
    SEQUENCE = %r{(?:\e\[|\u009b)[0-?]*[ -/]*[@-~]|
                  (?:\e\]|\u009d)[^\a\e\u009c\u009d\n]*(?:\a|\e\\|\u009c)}x

    # C0 but the end of a line, DEL and C1; marks, embeddings, overrides and isolates of direction,
    # and the separators of lines and paragraphs (Unicode 15, 23.1 and 23.2).
    UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|
                   [\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/x

    # What a terminal would act upon; nil if there is none, as nearly always.
    SUSPECT = Regexp.union(SEQUENCE, UNPRINTABLE)

    # What GitHub's runner takes for an order in a line of a step's output: "::error::" behind
    # nothing but space, "##[error]" anywhere (ActionCommand.cs of actions/runner). Folding can put
    # any word at the start of a line.
    ORDER = /^([[:space:]&&[^\n]]*):(?=:)/
    OLDER_ORDER = "##["

    # Characters of a fact in a sentence, and of a line of a log: what is longer was made to be.
    FACT = 200
    LINE = 300

    module_function

    # At most so many characters of it, the last one an ellipsis if there were more.
    #: (String, ?Integer) -> String
    def cut(text, most = FACT) = text.length > most ? "#{text[0, most - 1]}…" : text

    # In valid UTF-8, in which nothing is below a space but "\n". Sequences are left out, other
    # characters are replaced one by one, so that columns stay aligned.
    #: (String) -> String
    def call(text)
      text = utf8(text)
      return text unless text.match?(SUSPECT)

      text.gsub(SEQUENCE, "").gsub(/(?<!\r)\r+\n/, "\n").tr("\t", " ").gsub(UNPRINTABLE, "?")
    end

    # Text that is Printable, in lines of which none is an order to a CI runner: a space breaks it.
    #: (String) -> String
    def inert(text)
      return text unless text.match?(ORDER) || text.include?(OLDER_ORDER)

      text.gsub(ORDER, '\1: ').gsub(OLDER_ORDER, "# #[")
    end

    def utf8(text)
      text = text.dup.force_encoding(Encoding::UTF_8) unless text.encoding == Encoding::UTF_8
      text.valid_encoding? ? text : text.scrub("?")
    end
    private_class_method :utf8
  end
end
