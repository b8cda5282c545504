# frozen_string_literal: true

module Jobs
  # Runs one batch per request, one at a time.
  class App
    BODY = "each job ran once\n"

    # Longer than the slowest queue takes for the largest batch that anybody would wait for.
    LIMIT_S = 60

    def initialize(tally:, producer:, limit_s: LIMIT_S)
      @tally = tally
      @producer = producer
      @limit_s = limit_s
      @mutex = Mutex.new
    end

    def call(_env)
      fault = @mutex.synchronize do
        @producer.enqueue(@tally.begin_batch)
        @tally.await(@limit_s)
      end
      fault ? response(500, "#{fault}\n") : response(200, BODY)
    end

    private

    def response(status, body)
      headers = { "content-type" => "text/plain", "content-length" => body.bytesize.to_s }
      [status, headers, [body]]
    end
  end
end
