# frozen_string_literal: true

module Mohs
  module Process
    # What other programs wrote, as text: it may be in any encoding, and cut in the middle of a
    # character.
    module Text
      #: (String) -> String
      def self.utf8(bytes) = bytes.dup.force_encoding(Encoding::UTF_8).scrub("?")
    end
  end
end
