# frozen_string_literal: true

module Mohs
  class CLI
    # A file of variables in the format of dotenv and Docker: one NAME=value per line, empty lines
    # and # comments between them, `export` allowed before a name. In "double quotes" \n, \" and \\
    # are read as in Ruby; in 'single quotes' nothing is special; both may span several lines (keys
    # do). There is no substitution: a $ is a $. Messages name the line, never its content.
    module EnvFile
      OPTION = "--env-file"
      NAME = /[A-Za-z_][A-Za-z0-9_]*/
      VALUE = /"(?<double>(?:\\.|[^"\\])*)"|'(?<single>[^']*)'|
               (?<plain>[^\s"'\#](?:[^\n\#]|(?<=\S)\#)*)?/mx
      # A name and its value; after the value only a comment may follow.
      ENTRY = /\G[ \t]*(?:export[ \t]+)?(?<name>#{NAME})[ \t]*=[ \t]*(?:#{VALUE})
               [ \t]*(?:\#[^\n]*)?(?:\n|\z)/mx
      BETWEEN = /\G[ \t]*(?:\#[^\n]*)?(?:\n|\z)/
      ESCAPES = { "n" => "\n", "r" => "\r", "t" => "\t" }.freeze

      module_function

      # Raises UsageError.
      #: (String, dir: String) -> Hash[String, String]
      def load(path, dir:) = parse(GivenFile.read(path, option: OPTION, dir:), path)

      #: (String, String) -> Hash[String, String]
      def parse(text, path)
        found = {}
        position = 0
        while position < text.length
          entry = ENTRY.match(text, position)
          found[entry[:name]] = value(entry) if entry
          position = (entry || BETWEEN.match(text, position) || wrong(text, position, path)).end(0)
        end
        found
      end

      # The line for a variable without its secret value: "API_KEY=...".
      #: (String) -> String
      def line(text) = "#{text[/\A[^=]+=/]}..."

      def value(entry)
        return entry[:double].gsub(/\\(.)/m) { ESCAPES.fetch($1, $1) } if entry[:double]

        entry[:single] || entry[:plain].to_s.strip
      end

      def wrong(text, position, path)
        line = text[0, position].count("\n") + 1
        raise GivenFile.wrong(path, line, "write it as NAME=value, or NAME=\"value\"",
                              option: OPTION)
      end
      private_class_method :value, :wrong
    end
  end
end
