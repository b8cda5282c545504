# frozen_string_literal: true

module Mohs
  module Track
    # The history that a comparison is a point of (mohs track): its `name`; the `reference` as
    # typed, and `reference_id`, the same with the id of its commit; `commit` { id:, short:, date:,
    # title:, changes: } of the application's folder, nil without git. `changes` counts the files
    # that differ from that commit. `check`: whether the exit status says if this point reveals a
    # regression.
    class Rules < Struct.new(:name, :reference, :reference_id, :commit, :check,
                             keyword_init: true)
      include Value

      NAME = /\A[\w][\w.-]{0,63}\z/

      # Raises UsageError.
      #: (String) -> String
      def self.name(text)
        return text if text.match?(NAME)

        raise UsageError, "#{text.inspect} is not a valid name: use at most 64 letters, digits, " \
                          "., - and _"
      end
    end
  end
end
