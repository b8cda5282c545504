# frozen_string_literal: true

# Every Ruby comes with it, as a gem that the bundle does not have.
$LOAD_PATH.concat(Gem::Specification.find_by_name("rexml").full_require_paths)
require "rexml/document"

module Mohs
  # An HTML page, read by a strict XML parser.
  class Page
    attr_reader :root

    # Raises REXML::ParseException if it is not well-formed.
    #: (String) -> void
    def initialize(text)
      @root = REXML::Document.new(text).root
    end

    # Elements of these names, or all, in the page's order.
    #: (*String) -> Array[REXML::Element]
    def all(*names)
      @all ||= [].tap { |found| walk(@root) { |one| found << one } }
      names.empty? ? @all : @all.select { |one| names.include?(one.name) }
    end

    # The element with this id; nil if there is none.
    #: (String) -> REXML::Element?
    def id(id) = all.find { |one| one.attributes["id"] == id }

    # The text that a person reads: that of an element and of the elements in it.
    #: (?REXML::Element) -> String
    def text(element = @root)
      element.children.map { |child|
        case child
        when REXML::Text then child.value
        when REXML::Element then text(child)
        else ""
        end
      }.join
    end

    # [element, name, value] of every attribute.
    #: () -> Array[[REXML::Element, String, String]]
    def attributes
      all.flat_map do |one|
        one.attributes.each_attribute.map { |each| [one, each.expanded_name, each.value] }
      end
    end

    private

    def walk(element, &block)
      yield element
      element.elements.each { |child| walk(child, &block) }
    end
  end
end
