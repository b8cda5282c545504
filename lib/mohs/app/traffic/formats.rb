# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # Formats of logs: one file per member, the contract in formats/base.rb.
      module Formats
        extend Family

        family "log format", folder: File.join(__dir__, "formats"), list: "--log-format"

        # The class that recognises most lines of `head`; nil if none does.
        #: (Array[String]) -> Class?
        def self.recognise(head)
          likeness, format = all.map { |one| [one.likeness(head), one] }.max_by(&:first)
          format if likeness.positive?
        end
      end
    end
  end
end
