# frozen_string_literal: true

module Mohs
  module Drivers
    module Peer
      # Tools that tell errors as text: our class of each, where it has one.
      module Words
        # The texts of Go's net package and of Rust's hyper and io::Error, in the order in which
        # they are looked for. The words do not tell when a connection broke.
        CLASSES = {
          /deadline exceeded|timed? ?out/i => "timeout",
          /aborted due to deadline/i => "in_flight_at_end",
          /refused/i => "refused",
          /cannot assign requested address/i => "no_local_port",
          /too many open files/i => "no_descriptor",
          /reset by peer|broken pipe/i => "reset",
          /\bEOF\b|closed/i => "closed",
          /malformed|invalid|parse/i => "bad_answer",
        }.freeze

        module_function

        # { text => count } to { class => count }.
        #: (Hash[String, Integer]) -> Hash[String, Integer]
        def classes(counts)
          counts.each_with_object(Hash.new(0)) do |(text, count), sum|
            sum[error_class(text)] += count
          end
        end

        #: (String) -> String
        def error_class(text) = CLASSES.find { |pattern, _| pattern.match?(text) }&.last || "other"
      end
    end
  end
end
