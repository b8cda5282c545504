# frozen_string_literal: true

module Mohs
  class App
    # The expected response to one request, as learned: `request` as it has to be sent
    # (App::Request), `status`, `type`, `length` of the body in bytes, the `body` itself, `kind`
    # what repeats and is checked from now on (:body byte for byte, :length, or only :status),
    # `note` what the person should know, or nil.
    class Answer < Struct.new(:request, :status, :type, :length, :body, :kind, :note,
                              keyword_init: true)
      include Value

      # "200, 4507 bytes, same body each time".
      #: () -> String
      def to_s
        repeats = { body: "same body each time", length: "same length each time",
                    status: "another body each time" }.fetch(kind)
        "#{status}, #{"#{length} bytes, " unless kind == :status}#{repeats}"
      end
    end
  end
end
