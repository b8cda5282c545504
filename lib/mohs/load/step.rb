# frozen_string_literal: true

module Mohs
  module Load
    # A stretch of load on some targets (their indexes) at once: by time (`duration_ns`), or by an
    # exact number of requests on each target (`count`), which its connections share so that two
    # differ by one at most. `gap_ns` rests before it; requests of a `warm_up` step are recorded as
    # such and stay out of quantiles. Without `arrivals` it is a closed loop; with Load::Arrivals
    # an open one, of which duration or count take a part. Given times need neither. On a target
    # with a scenario `count` and `arrivals` are of actions, each of one or more requests; in a
    # step that is the `login`, each client does that instead.
    Step = Struct.new(:targets, :duration_ns, :count, :warm_up, :gap_ns, :arrivals, :login,
                      keyword_init: true) do
      # The login of that many clients: one target's connections.
      #: (Integer, ?targets: Array[Integer]) -> Load::Step
      def self.login(clients, targets: [0])
        new(targets:, count: clients, warm_up: true, login: true)
      end

      #: (?targets: Array[Integer], ?duration_ns: Integer?, ?count: Integer?, ?warm_up: bool, ?gap_ns: Integer, ?arrivals: Load::Arrivals?, ?login: bool) -> void
      def initialize(targets: [0], duration_ns: nil, count: nil, warm_up: false, gap_ns: 0,
                     arrivals: nil, login: false)
        count ||= arrivals.times.size if arrivals&.times && !duration_ns
        super
        freeze
      end
    end
  end
end
