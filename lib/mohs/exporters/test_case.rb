# frozen_string_literal: true

module Mohs
  module Exporters
    # A test case, for CI servers: its result is :failure, :skipped or nil (it passed); `message`
    # gives the reason, `output` is figures or a log.
    class TestCase < Struct.new(:group, :name, :result, :type, :message, :output,
                                keyword_init: true)
      include Value
    end
  end
end
