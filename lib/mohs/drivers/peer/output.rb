# frozen_string_literal: true

require "json"

module Mohs
  module Drivers
    module Peer
      # A tool's output and files, and methods that read figures from them. tool: its name, for
      # messages. files: { name => content } of the files that it wrote.
      class Output < Struct.new(:tool, :stdout, :stderr, :files, keyword_init: true)
        NS = { "us" => 1e3, "ms" => 1e6, "s" => 1e9, "m" => 60e9, "h" => 3600e9 }.freeze
        TIME = "([\\d.]+)(us|ms|s|m|h)"
        FIRST_LINES = 5

        #: (tool: String, stdout: String, ?stderr: String, ?files: Hash[String, String]) -> void
        def initialize(tool:, stdout:, stderr: "", files: {})
          super
          freeze
        end

        # The first group of `pattern` in the output. Raises Error if nothing matches.
        #: (Regexp) -> String
        def find(pattern)
          stdout[pattern, 1] || unreadable("nothing like #{pattern.source.inspect}")
        end

        #: (Regexp) -> Integer
        def count(pattern) = find(pattern).to_i

        #: (Regexp) -> Float
        def number(pattern) = find(pattern).to_f

        # A count that is printed only when it is above zero.
        #: (Regexp) -> Integer
        def rare(pattern) = stdout[pattern, 1].to_i

        # ns of a time with its unit; the pattern contains #{Output::TIME}. nil if nothing matches.
        #: (Regexp) -> Integer?
        def time_ns(pattern)
          figure, unit = pattern.match(stdout)&.captures
          (figure.to_f * NS.fetch(unit)).round if figure
        end

        # The JSON object that was printed, whatever precedes it, or the one in the file of that
        # name.
        #: (?String) -> Hash[String, untyped]
        def json(file = nil)
          document = JSON.parse(file ? files.fetch(file, "") : stdout[/^\{.*/m].to_s)
          document.is_a?(Hash) ? document : unreadable("no JSON object")
        rescue JSON::ParserError
          unreadable("no JSON")
        end

        # Yields, and reports the missing key if the document has another shape.
        #: [T] () { () -> T } -> T
        def expecting
          yield
        rescue KeyError => error
          unreadable("no #{error.key.inspect}")
        end

        # The length of a load, from the rate that the tool computed, which it prints with more
        # digits than the time; `seconds` if there was no response.
        #: (Integer, Float, Float) -> Integer
        def wall_ns(count, per_s, seconds)
          count.positive? && per_s.positive? ? (count * 1e9 / per_s).round : (seconds * 1e9).round
        end

        # The first lines of the output, for messages.
        #: () -> String
        def first_lines
          text = [stderr, stdout].find { |stream| !stream.strip.empty? }.to_s
          text.lines.map(&:rstrip).reject(&:empty?).first(FIRST_LINES).join("\n")
        end

        private

        def unreadable(why)
          raise Error, "the output of #{tool} can't be read (#{why}); is it another version? " \
                       "It began:\n#{first_lines}"
        end
      end
    end
  end
end
