# frozen_string_literal: true

module Mohs
  # What a server's response, a log or a path may contain to act upon the terminal or the browser
  # that shows it.
  module HostileText
    CONTROLS = [*0..9, *11..31, *127..159].map { |code| [code].pack("U") }.join
    BIDI = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    TEXT = "\e[2J\e[31mred\e[0m\e]0;title\a\e]8;;http://x\e\\link\u009b5A\r" \
           "#{CONTROLS}#{BIDI}end".freeze

    # Texts that would become markup, script, style or a link in a page.
    MARKUP = [
      "<script>alert(1)</script>", "</script><script>alert(1)</script>",
      "</style><script>alert(1)</script>", "</title><img src=x onerror=alert(1)>",
      "\"><svg onload=alert(1)>", "' onmouseover='alert(1)",
      "\" style=\"background:url(//e.example)",
      "<![CDATA[<b>]]>", "]]><b>", "<!-- <b>", "--><b>", "<?php x ?>",
      "&lt;b&gt; &amp; &#60;b&#62;",
      "&xxe;", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
      "<a href=\"https://e.example\">x</a>", "{{constructor.constructor('alert(1)')()}}",
      "%{name} %<a>s \#{x}", "\u202Eevil\u2066\u0000\e[31m\uFFFE\xC3",
    ].freeze

    # Below a space only newlines are allowed; no DEL, no C1 controls, no direction marks.
    FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f#{BIDI}]/

    module_function

    # The value with this text added at the end of all its texts; the block says, by their key,
    # which of them stay as they are.
    #: (untyped, String, ?Symbol?) { (Symbol?, String) -> boolish } -> untyped
    def everywhere(value, text, key = nil, &kept)
      case value
      when Hash then value.to_h { |name, item| [name, everywhere(item, text, name, &kept)] }
      when Array then value.map { |item| everywhere(item, text, key, &kept) }
      when String then yield(key, value) ? value : value + text
      else value
      end
    end

    # The document once for each of its texts, with TEXT added at the end of that one: [[path,
    # document]]. Items of a list count as one.
    #: (untyped) -> Array[[String, untyped]]
    def each_in(value, path = "", &)
      return enum_for(:each_in, value, path).to_a unless block_given?

      case value
      when Hash
        value.each do |key, item|
          each_in(item, "#{path}/#{key}") { |at, new| yield at, { **value, key => new } }
        end
      when Array
        value.first(2).each_with_index do |item, index|
          each_in(item, "#{path}/#{index}") do |at, new|
            yield at, [*value[0...index], new, *value[(index + 1)..]]
          end
        end
      when String then yield path, "#{value}#{TEXT}"
      end
    end
  end
end
