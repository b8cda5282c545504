# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # Who can read which kind of log: one member a file, the contract in formats/base.rb.
      module Formats
        extend Family

        family "log format", folder: File.join(__dir__, "formats"), list: "--log-format"

        # The class whose lines most of `head`'s are; nil where none are.
        #: (Array[String]) -> Class?
        def self.recognise(head)
          likeness, format = all.map { |one| [one.likeness(head), one] }.max_by(&:first)
          format if likeness.positive?
        end
      end
    end
  end
end
