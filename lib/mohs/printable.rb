# frozen_string_literal: true

module Mohs
  # Text from others (servers, logs, applications, other users) in a form that a terminal may show.
  # Control characters would move the cursor, change what was printed before, or send input to the
  # shell; characters of writing direction would change the displayed order.
  #
  # The patterns, like all that read text from others, must take time at most linear in its length.
  module Printable
    # What programs colour their logs with: CSI and OSC sequences (ECMA-48, 5.4 and 5.6), also those
    # introduced by a single C1 character.
    SEQUENCE = %r{(?:\e\[|\u009b)[0-?]*[ -/]*[@-~]|
                  (?:\e\]|\u009d)[^\a\e\u009c\u009d\n]*(?:\a|\e\\|\u009c)}x

    # C0 except line ends, DEL and C1; marks, embeddings, overrides and isolates of direction, and
    # the separators of lines and paragraphs (Unicode 15, 23.1 and 23.2).
    UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|
                   [\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/x

    # What a terminal would act upon; nearly all text has none.
    SUSPECT = Regexp.union(SEQUENCE, UNPRINTABLE)

    # What GitHub's runner takes for a command in a line of a step's output: "::error::" after
    # nothing but space, "##[error]" anywhere (ActionCommand.cs of actions/runner). Folding can put
    # any word at the start of a line.
    ORDER = /^([[:space:]&&[^\n]]*):(?=:)/
    OLDER_ORDER = "##["

    # Most characters of a fact in a sentence, and of a line of a log: longer ones were made long on
    # purpose.
    FACT = 200
    LINE = 300

    module_function

    # At most this many characters of the text, the last one an ellipsis if there were more.
    #: (String, ?Integer) -> String
    def cut(text, most = FACT) = text.length > most ? "#{text[0, most - 1]}…" : text

    # Valid UTF-8 without characters below a space except "\n". Escape sequences are removed, other
    # characters are replaced one by one, so that columns stay aligned.
    #: (String) -> String
    def call(text)
      text = utf8(text)
      return text unless text.match?(SUSPECT)

      text.gsub(SEQUENCE, "").gsub(/(?<!\r)\r+\n/, "\n").tr("\t", " ").gsub(UNPRINTABLE, "?")
    end

    # A name, such as that of a file, as a single line of characters that can be seen: each other
    # one is replaced.
    #: (String) -> String
    def name(text) = utf8(text).gsub(/[^[:print:]]|\p{Cf}/, "?")

    # Printable text without lines that a CI runner would take for a command: a space breaks them.
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
