# frozen_string_literal: true

module Mohs
  # `mohs load` with many connections, from a process that may have few descriptors at first, on a
  # TruthServer that takes 20 ms for each response.
  module Crowd
    LOADED = <<~RUBY
      require "mohs"
      hard = Process.getrlimit(Process::RLIMIT_NOFILE).last
      Process.setrlimit(Process::RLIMIT_NOFILE, 256, hard)
      exit Mohs::CLI.new(Mohs::CLI::Context.real).call(ARGV)
    RUBY
    DELAY_NS = 20_000_000

    # The document of that load.
    #: (Integer, *String) -> Hash[Symbol, untyped]
    def crowd(connections, *argv)
      hard = ::Process.getrlimit(::Process::RLIMIT_NOFILE).last
      skip "#{connections} connections need more files than #{hard}" if hard < connections + 200

      output = nil
      server = TruthServer.open(:delay, DELAY_NS) do |truth|
        output = in_child(LOADED, "load", "127.0.0.1:#{truth.port}", "-c", connections.to_s, *argv,
                        "--json", "--quiet")
      end
      JSON.parse(output, symbolize_names: true).tap { |document| check(document, server) }
    end

    private

    # Every response is in the server's record; those to the response learner come on top.
    def check(document, server)
      counts = document[:connections].values_at(:asked, :opened, :lost, :served)
      assert_equal [counts[0], counts[0], 0, counts[0]], counts
      assert_equal 0, document[:errors][:total], document[:errors].to_s
      assert_equal [server.times.size] * 2,
                   document[:requests].values_at(:sent, :good).map { |count| count + asking }
    end

    # Requests of App::ResponseLearner.
    def asking = 3
  end
end
