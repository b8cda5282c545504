# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # For names of any length: remarks have no column for them.
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
