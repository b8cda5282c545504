# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # Log formats: one file per member; formats/base.rb has the contract.
      module Formats
        extend Family

        family "log format", folder: File.join(__dir__, "formats"), list: "--log-format"

        # The class that recognises the most lines of `head`; nil if none recognises any.
        #: (Array[String]) -> Class?
        def self.recognise(head)
          likeness, format = all.map { |one| [one.likeness(head), one] }.max_by(&:first)
          format if likeness.positive?
        end
      end
    end
  end
end
