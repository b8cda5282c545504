# frozen_string_literal: true

module Mohs
  module Load
    class Scenario
      # One request of an action, with {names} of variables in it: `method`, `path` as written,
      # `headers` { name => text }, `body` a Scenario::Template or nil, `captures`
      # [Scenario::Capture], `think` a range of seconds after the answer, `expect` [status].
      class Request < Struct.new(:method, :path, :headers, :body, :captures, :think, :expect,
                                 keyword_init: true)
        include Value

        # "POST /posts".
        #: () -> String
        def to_s = "#{method} #{path}"

        # The variables that have to be known when it is sent.
        #: () -> Array[String]
        def names = [head(host: "").names, *body&.names].flatten.uniq

        # As the core takes it, with the numbers of the variables.
        #: (Hash[String, Integer], host: String, close: bool) -> Hash[Symbol, untyped]
        def packed(numbers, host:, close:)
          think_low_ns, think_high_ns = [think.begin, think.end].map do |seconds|
            (seconds * 1_000_000_000).round
          end
          { head: head(host:, close:).packed(numbers), body: content&.packed(numbers),
            captures: captures.map { |capture| capture.packed(numbers) },
            think_low_ns:, think_high_ns: }
        end

        private

        # Cookie and Content-Length are the core's to add.
        def head(host:, close: false)
          all = Wire.with_defaults(headers, host:, close:, length: nil)
          lines = all.map { |name, text| Template.parse("#{name}: #{text}\r\n", escape: :header) }
          [Template.parse("#{method} ", escape: :nothing), Template.path(path),
           Template.parse(" HTTP/1.1\r\n", escape: :nothing), *lines].reduce(:+)
        end

        def content = body || (Template.new([]) if Wire::WITH_BODY.include?(method))
      end
    end
  end
end
