# frozen_string_literal: true

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__), File.expand_path("../../test", __dir__))
require "minitest" # PostgresCluster ends with it
require "mohs"
require "support/mohs_command"
require "support/network_namespace"
require "support/postgres"
require "tmpdir"

module Mohs
  # A store and workers for benchmarks, in a folder that goes away with them.
  class FleetLaboratory
    LIMIT_S = 3600
    START_S = 30

    #: (Array[String]) -> void
    def initialize(words)
      @words = words
    end

    # The store listens on the network of namespaces if workers are to be in them.
    #: [T] (?cluster: PostgresCluster) { () -> T } -> T
    def open(cluster: PostgresCluster.shared)
      @near = cluster.empty_database
      @far = cluster == PostgresCluster.shared ? @near : cluster.remote_url
      Dir.mktmpdir do |folder|
        @folder = folder
        yield
      end
    end

    # The ends of a run's cohorts, in ms, ascending; [] if it ended badly, which is told.
    #: (Array[String]) -> Array[Integer]
    def ends(options)
      said = command("person", @near).call(*@words, *options, "--json", limit_s: LIMIT_S)
      abort said.err unless said.status.success?

      store = Store.open(@near)
      store.cohorts(store.run(said.json[:run]).id).filter_map(&:finished_ms).sort
    ensure
      store&.close
    end

    # With a worker of that name. within: what starts it in a namespace.
    #: [T] (String, ?within: Array[String]) { () -> T } -> T
    def with_worker(name, within: [])
      worker = command(name, @far, within:)
      pid = worker.start("worker", "--name", name, "--noisy")
      deadline = Clock.deadline(START_S)
      sleep 0.1 until worker.output.include?("waiting for work") || Clock.mono_ns > deadline
      yield
    ensure
      ::Process.kill(:TERM, pid) && ::Process.wait(pid) if pid
    end

    private

    def command(name, url, within: [])
      dir = File.join(@folder, name)
      FileUtils.mkdir_p(dir)
      MohsCommand.new(dir, within:, env: { "MOHS_DATABASE_URL" => url })
    end
  end
end
