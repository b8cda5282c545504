# frozen_string_literal: true

module Mohs
  class CLI
    # A file of headers: one "Name: value" per line, with empty lines and # comments between them.
    # Other than that of --header, its content is not in the list of processes, nor in the shell's
    # history.
    module HeaderFile
      OPTION = "--header-file"
      # Headers that are no secrets, whoever sends them; all others are assumed to be.
      HARMLESS = /\A(?:Accept(?:-.*)?|Host|User-Agent|Content-Type|X-Requested-With|
                   X-Forwarded-(?:For|Host|Port|Proto|Prefix|Server))\z/xi
      COOKIE = "Cookie"
      BETWEEN = /\A\s*(?:#|\z)/

      module_function

      # Raises UsageError.
      #: (String, dir: String) -> Hash[String, String]
      def load(path, dir:) = parse(GivenFile.read(path, option: OPTION, dir:), path)

      #: (String, String) -> Hash[String, String]
      def parse(text, path)
        text.lines.each.with_index(1).with_object({}) do |(line, number), found|
          add(found, *header(line)) unless line.match?(BETWEEN)
        rescue UsageError => error
          raise GivenFile.wrong(path, number, error.message, option: OPTION)
        end
      end

      # Names of the headers whose values are secrets: the file is for those.
      #: (Hash[String, String]) -> Array[String]
      def confidential(headers) = headers.keys.grep_v(HARMLESS)

      # The line for a header without its secret value: "Cookie: ...".
      #: (String) -> String
      def line(text) = "#{text[/\A[^:]+:/]} ..."

      # What the parser of --header says about a line without a valid name contains the line.
      def header(line)
        name, value = line.split(":", 2)
        named = value && name.strip.match?(App::Request::TOKEN)
        raise UsageError, "write it as Name: value" unless named

        App::Request.parse_header(line)
      end

      # A request has one header of a name, and nobody knows which was meant.
      def add(found, name, value)
        again = found.keys.any? { |one| one.casecmp?(name) }
        cookies = "; write several cookies as Cookie: a=1; b=2" if name.casecmp?(COOKIE)
        raise UsageError, "#{name} is there already#{cookies}" if again

        found[name] = value
      end
      private_class_method :header, :add
    end
  end
end
