# frozen_string_literal: true

module Mohs
  class Procedure
    # What a new file gets (--write): its `text`, and whether it is `sure`, that is, shown by the
    # figures; or with no text, what is lacking (`lack`).
    Contents = Struct.new(:text, :sure, :lack, keyword_init: true)
  end
end
