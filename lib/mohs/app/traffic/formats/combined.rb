# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      module Formats
        # The Combined Log Format of Apache and nginx: Common, then the referer and the user agent
        # in quotation marks. Anything added after them (times, ids) is ignored.
        class Combined < Common
          LINE = /#{START} #{QUOTED} #{QUOTED}(?:\s.*)?\z/n
        end
      end
    end
  end
end
