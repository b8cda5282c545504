# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # For names of any length: remarks have no column for them.
      class PlainLayout < Layout
        private

        def line(remark)
          return super if remark.command || remark.code.nil?

          plain("#{remark.name}: #{remark.text}")
        end

        def plain(text) = @style.wrap(text, indent: INDENT)
      end
    end
  end
end
