# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Text for a terminal whose locale has no UTF-8: a character of ASCII for each of ours, so
      # that columns stay where they are.
      module Ascii
        SIGNS = { "·" => "-", "–" => "-", "−" => "-", "─" => "-", "━" => "=", "±" => "~",
                  "µ" => "u", "…" => "~" }.freeze
        # From little to much: of a sparkline, and the ends of bars.
        BARS = { "▁" => "_", "▂" => ".", "▃" => ":", "▄" => "-", "▅" => "=", "▆" => "+", "▇" => "*",
                 "█" => "#", "▏" => "|", "▎" => "|", "▍" => "|", "▌" => "=", "▋" => "=", "▊" => "=",
                 "▉" => "#", "▕" => "|" }.freeze
        ALL = { **SIGNS, **BARS }.freeze

        # What is not ours (names, paths) becomes a question mark.
        #: (String) -> String
        def self.of(text) = text.gsub(/[^\x00-\x7f]/) { |sign| ALL.fetch(sign, "?") }

        # Does the locale of this environment lack UTF-8? Where none is set, as in a bare container,
        # the terminal around it mostly has it.
        #: (Hash[String, String]) -> bool
        def self.needed?(env)
          locale = env.values_at("LC_ALL", "LC_CTYPE", "LANG").find { |value| !value.to_s.empty? }
          !locale.nil? && !locale.match?(/utf-?8/i)
        end
      end
    end
  end
end
