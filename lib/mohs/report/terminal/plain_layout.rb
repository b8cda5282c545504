# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # A bisection, or all published studies: names of points and studies are of any length, so
      # remarks have no column for them.
      class PlainLayout < Layout
        private

        def line(remark)
          return super if remark.command || remark.code.nil?

          name = "#{remark.name}: " unless remark.code == :left_out
          text = @style.wrap("#{name}#{remark.text}", indent: INDENT)
          remark.code == :error ? @style.paint(:red, text) : text
        end
      end
    end
  end
end
