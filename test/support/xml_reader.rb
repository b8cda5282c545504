# frozen_string_literal: true

require "strscan"

module Mohs
  # A strict reader of the XML that mohs writes: elements, attributes in double quotes, text,
  # predefined entities and character references. Anything else, even if valid, is an error.
  class XmlReader
    # `text` is the element's own text, beside other elements.
    Element = Struct.new(:name, :attributes, :elements, :text) do
      # The child elements of this name.
      def all(name) = elements.select { |one| one.name == name }

      def first(name) = all(name).first
    end

    NAME = /[A-Za-z_][\w.-]*/
    ENTITIES = { "amp" => "&", "lt" => "<", "gt" => ">", "quot" => '"', "apos" => "'" }.freeze
    # XML 1.0, 2.2.
    CHARACTERS = /\A[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*\z/

    #: (String) -> Mohs::XmlReader::Element
    def self.read(text) = new(text).root

    def initialize(text)
      raise "no XML characters" unless text.match?(CHARACTERS)

      @scanner = StringScanner.new(text)
    end

    def root
      expect(/<\?xml version="1\.0" encoding="UTF-8"\?>\n/)
      element.tap do
        expect(/\n/)
        raise "more than one root" unless @scanner.eos?
      end
    end

    private

    def expect(pattern)
      @scanner.scan(pattern) or raise "#{pattern.source} expected: #{@scanner.peek(60).inspect}"
    end

    def element
      expect(/</)
      made = Element.new(expect(NAME), attributes, [], +"")
      return made if @scanner.scan(%r{/>})

      expect(/>/)
      content(made) until @scanner.scan(%r{</#{made.name}>})
      made
    end

    def attributes
      found = {}
      while @scanner.scan(/ (#{NAME})="/)
        name = @scanner[1]
        raise "#{name} twice" if found.key?(name)

        found[name] = decoded(expect(/[^<"]*/))
        expect(/"/)
      end
      found
    end

    def content(holder)
      return holder.elements << element if @scanner.check(/<[A-Za-z_]/)

      text = expect(/[^<]+/)
      raise "]]> in text" if text.include?("]]>")

      holder.text << decoded(text)
    end

    def decoded(text)
      text.gsub(/&(?:(\w+)|#(?:(\d+)|x(\h+)));|&/) do
        next ENTITIES.fetch($1) if $1
        next [($2 || $3).to_i($2 ? 10 : 16)].pack("U") if $2 || $3

        raise "a lone ampersand in #{text.inspect}"
      end
    end
  end
end
