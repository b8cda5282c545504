# frozen_string_literal: true

require_relative "../../test/support/c_build"
require_relative "../../test/support/truth_server"

module Mohs
  module DriverBenchmark
    # Compares the driver's response times with the truth: the log of a server that delays as
    # instructed (test/support/truth_server.c).
    class Accuracy
      MS = 1_000_000
      STALL_EVERY = 2000 * MS
      # 200 ms and half the time between two requests, so that no request falls due just as the
      # stall begins, when it would be random whether it is part of the stall.
      STALL = (200 * MS) + 250_000

      # Name in the table => the server's mode, and pieces of its response's body.
      MODES = {
        "1 ms" => [:delay, 1 * MS],
        "1 ms, each 20th 20 ms" => [:mixture, 1 * MS, 20 * MS, 20],
        "body in 4 pieces, 2 ms each" => [:slow_body, 2 * MS, 4],
      }.freeze
      STALLED = [:stall, STALL_EVERY, STALL].freeze

      SHARES = [0.5, 0.99, 0.999, 1.0].freeze
      NAMES = %w[p50 p99 p99.9 max].freeze

      # How far a figure may be off: a hundredth of the truth, or this much if that is more.
      SHARE = 0.01
      LEAST_NS = 60_000
      GOAL = "1 % or 60 us"

      CONNECTIONS = 32
      RATE = 2000
      SECONDS = 4

      # "p50 1.001 ms, p99 ..."
      #: (Array[String]) -> String
      def self.named(times)
        NAMES.first(times.size).zip(times).map { |one| one.join(" ") }.join(", ")
      end

      #: (cpu: Integer) -> void
      def initialize(cpu:)
        @cpu = cpu
      end

      #: (Table) -> void
      def call(table)
        MODES.each do |name, mode|
          row(table, "#{name}, closed loop", *reported_and_true(*load(mode)))
          row(table, "#{name}, #{RATE}/s open loop", *reported_and_true(*load(mode, arrivals)))
        end
        stall(table)
      end

      private

      def reported_and_true(seen, server) = [seen[:service], quantiles(server.times)]

      def arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: RATE)

      # A request that falls due in a stall waits for its end. Response times are compared with
      # that model, whose first stall is in the server's log; wrk's figures for the same server are
      # added.
      def stall(table)
        seen, server = load(STALLED, arrivals)
        began = server.record.map(&:first).min
        plain = quantiles(server.times).first
        model = seen[:due].map { |due| [waits(seen[:epoch] + due - began), plain].max }
        row(table, "200 ms stall each 2 s, #{RATE}/s open loop", seen[:response],
            quantiles(model.sort))
        table.row("the same, as reported by wrk (closed loop)", "–", reported_by_wrk)
      end

      # How long, in ns, a request waits if it falls due `since` ns after the first.
      def waits(since)
        into = since % STALL_EVERY
        into > STALL_EVERY - STALL ? STALL_EVERY - into : 0
      end

      def reported_by_wrk
        TruthServer.open(*STALLED) do |server|
          target = Load::Target.new(host: "127.0.0.1", port: server.port,
                                    connections: CONNECTIONS)
          driver = Drivers.fetch("wrk").new(targets: [target], cpus: [@cpu])
          driver.run([step])
          times = driver.summary(0).quantiles(:service, SHARES.take(2))
          return Accuracy.named(times.map { |ns| ms(ns) })
        end
      end

      # [{ service:, response: quantiles; due:, epoch: }, the server that has ended]
      def load(mode, arrivals = nil)
        seen = nil
        server = TruthServer.open(*mode) { |truth| seen = seen(truth, mode, step(arrivals)) }
        [seen, server]
      end

      def step(arrivals = nil) = Load::Step.new(duration_ns: SECONDS * 1000 * MS, arrivals:)

      def seen(truth, mode, step)
        body = TruthServer::BODY * (mode.first == :slow_body ? mode.last : 1)
        request = Load::Request.new(check: Load::Check.new(mode: :exact, body:))
        target = Load::Target.new(host: "127.0.0.1", port: truth.port, connections: CONNECTIONS,
                                  requests: [request])
        driver = Drivers.fetch("native").new(targets: [target], cpus: [@cpu])
        result = driver.run([step]).first
        raise result.errors.to_s if result.errors.any?

        recording = driver.recording(0)
        { service: recording.quantiles(:service, SHARES), epoch: driver.epoch_ns,
          response: recording.quantiles(:response, SHARES), due: recording.responses.map(&:first) }
      ensure
        driver&.close
      end

      def quantiles(sorted) = SHARES.map { |share| sorted[(share * sorted.size).ceil - 1] }

      def row(table, name, reported, truth)
        pairs = reported.zip(truth)
        right = pairs.all? { |one, other| (one - other).abs <= [SHARE * other, LEAST_NS].max }
        cells = pairs.map { |one, other| "#{ms(one)} (#{ms(other)})" }
        table.row("#{name}: reported (true)", GOAL, Accuracy.named(cells), right)
      end

      def ms(nanoseconds) = format("%.3f ms", nanoseconds / 1e6)
    end
  end
end
