# frozen_string_literal: true

require "erb"

module Micro
  # A page with a table, rendered from a template.
  class Page
    ROWS = Array.new(200) { |id| ["Item #{id}", "a < #{id} & b", id * 1.25] }.freeze

    TEXT = <<-PAGE.gsub(/^ {6}/, "")
      <!doctype html>
      <title><%= h(title) %></title>
      <table>
      <%- rows.each do |name, note, price| -%>
        <tr><td><%= h(name) %></td><td><%= h(note) %></td><td><%= format("%.2f", price) %></td></tr>
      <%- end -%>
      </table>
      <p><%= rows.size %> items</p>
    PAGE

    # The mode is a keyword since Ruby 2.6.
    TEMPLATE = RUBY_VERSION < "2.6" ? ERB.new(TEXT, nil, "-") : ERB.new(TEXT, trim_mode: "-")
    TEMPLATE.def_method(self, "render(title, rows)")

    include ERB::Util

    def type
      "text/html"
    end

    def call
      render("Items", ROWS)
    end
  end
end
