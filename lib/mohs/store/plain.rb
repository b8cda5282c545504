# frozen_string_literal: true

module Mohs
  class Store
    # Turns what other rooms pass (Structs, Symbols, logs with broken bytes) into what JSON and both
    # databases keep: Hashes with Symbol keys, Arrays, Strings in valid UTF-8 without NUL, numbers,
    # booleans and nil.
    module Plain
      module_function

      #: (untyped) -> untyped
      def call(value)
        case value
        when nil, true, false, Integer, Float then value
        when String, Symbol then text(value.to_s)
        when Array then value.map { |item| call(item) }
        when Hash, Struct then value.to_h { |key, item| [key.to_sym, call(item)] }
        else raise ArgumentError, "a #{value.class} cannot be stored: #{value.inspect}"
        end
      end

      # PostgreSQL refuses NUL, JSON refuses anything but UTF-8; a server's log may hold both.
      #: (String) -> String
      def text(string)
        utf8 = string.dup.force_encoding(Encoding::UTF_8)
        return utf8 if utf8.valid_encoding? && !utf8.include?("\0")

        utf8.scrub("\u{FFFD}").delete("\0")
      end
    end
  end
end
