# frozen_string_literal: true

module Mohs
  # Loads of known truth: what the mock driver plays, as `mohs load` would return it.
  module SampleLoad
    BEGAN_NS = 1_700_000_000_250_000_000

    # What was typed for it.
    def self.typed
      @typed ||= Typed.invocation("127.0.0.1:3000", "--quiet", command: "load")
    end

    # times: for each request, in the order in which they begin, its time in ns or its error class.
    def sample_load(times, connections: 1, arrivals: nil, **request)
      target = Load::Target.new(connections:)
      driver = Drivers::Mock.new(targets: [target], script: ->(_, number) { times[number] })
      step = driver.run([Load::Step.new(count: times.size, arrivals:)]).first
      request = App::Request.build(path: "/page", **request)
      Load::Result.new(
        server: "127.0.0.1:3000", step:, recording: driver.recording(0),
        asked: { connections:, threads: 1, count: times.size, arrivals: [arrivals&.facts] },
        answers: [App::Answer.new(request:, status: 200, length: 2, kind: :body)],
        epoch_real_ns: BEGAN_NS, argv: ["load", "127.0.0.1:3000"], host: { cores: 2 },
        invocation: SampleLoad.typed.to_h, versions: { mohs: "0.1.0", ruby: "ruby 3.1.2" }
      )
    end

    # Random times from 20 us to about 50 ms, with a stall of 2.3 s and failures among them.
    def sample_times(count = 3000, seed: 7)
      random = Random.new(seed)
      times = Array.new(count) { (20_000 * (2_500**(random.rand**3))).round }
      times[count / 2] = 2_300_000_000
      times[count / 3] = "closed_in_body"
      times
    end
  end
end
