# frozen_string_literal: true

require "test_helper"

module Mohs
  # The rate of a timed closed loop: responses per second while all connections are loaded.
  class SpanTest < TestCase
    include LoadHelper

    PATIENCE_S = 0.1
    SLICE_NS = 300_000_000

    # One thread that waits, after each response, for the next request of the same connection, as
    # Puma before version 8 does, while the other connections wait for the thread.
    class OneThread
      attr_reader :waited

      def initialize
        @lock = Mutex.new
        @waited = 0
      end

      def call(socket)
        @lock.synchronize { serve(socket) } while socket.wait_readable && !socket.eof?
      end

      private

      def serve(socket)
        3.times do
          socket.gets("\r\n\r\n") or return
          sleep 0.005
          socket.write(FakeServer::FINE)
          next if socket.wait_readable(PATIENCE_S)

          @waited += 1
          return
        end
      end
    end

    test "what comes after a connection had nothing more to send does not count" do
      load_one_thread(hang_up: false) do |result, recording, server|
        assert_operator server.waited, :>=, 3, "it waits for connections that are done"
        assert_operator result.wall_ns, :>=, result.loaded_ns + (3 * PATIENCE_S * 1e9)
        assert_in_delta per_s(result, recording), result.good * 1e9 / result.span_ns, 1e-3
      end
    end

    test "connections that are done are closed on demand, so that no thread waits for them" do
      load_one_thread(hang_up: true) do |result, _, server|
        assert_equal 0, server.waited
        assert_equal({}, result.errors)
        assert_equal 0, result.connections[:lost]
      end
    end

    # All of them at once: the first response of the last bunch is the end of the load. The more the
    # host is busy, the longer each takes, and the less there are: Little's law holds all the same.
    test "responses that come in bunches are not counted as one bunch too few" do
      serve = lambda do |socket|
        while socket.gets("\r\n\r\n")
          sleep 0.1
          socket.write(FakeServer::FINE)
        end
      end
      found = open_raw(serve) do |port|
        target = Load::Target.new(host: "127.0.0.1", port:, connections: 16,
                                  requests: [Load::Request.new(check: Load::Check.new)])
        with_driver([target]) do |driver|
          driver.run([Load::Step.new(duration_ns: 800_000_000)]).first
        end
      end

      mean_ns = found.service_sum_ns.fdiv(found.good)
      assert_in_delta 16, found.good * mean_ns / found.span_ns, 0.8
    end

    test "with one connection the rate is that of all responses" do
      FakeServer.open do |server|
        with_driver([target_on(server, connections: 1)]) do |driver|
          result = driver.run([Load::Step.new(duration_ns: 50_000_000)]).first
          last = driver.recording(0).each.map { |one| one.due_ns + one.done_ns }.max
          assert_equal last - result.started_ns, result.span_ns
          assert_equal result.loaded_ns, result.span_ns
        end
      end
    end

    test "by count all responses count, and loaded_ns says how long all connections had requests" do
      FakeServer.open do |server|
        with_driver([target_on(server, connections: 3)]) do |driver|
          result = driver.run([Load::Step.new(count: 4)]).first
          assert_equal result.wall_ns, result.span_ns
          assert_operator result.loaded_ns, :<, result.wall_ns
        end
      end
    end

    test "a step that is set aside has served a warm-up, and the others count as before" do
      FakeServer.open do |server|
        with_driver([target_on(server, connections: 2)]) do |driver|
          results = driver.run([3, 4, 5].map { |count| Load::Step.new(count:) })
          driver.set_aside(results[1])
          driver.run([Load::Step.new(count: 6)])
          recording = driver.recording(0)

          assert_equal [18, 14], [recording.size, recording.good]
          aside = recording.each.map { |one| (one.flags & Load::Recording::FLAGS[:warm_up]).positive? }
          assert_equal [[false, 3], [true, 4], [false, 11]],
                       aside.chunk_while(&:==).map { |same| [same[0], same.size] }
        end
      end
    end

    test "a server that goes silent is not judged by what it answered before" do
      FakeServer.open(->(number) { number > 20 ? :hang : :fine }) do |server|
        with_driver([target_on(server, connections: 2)], drain_s: 0.1, gone_s: 9) do |driver|
          result = driver.run([Load::Step.new(duration_ns: SLICE_NS)]).first
          assert_equal 20, result.good
          assert_operator result.span_ns, :>=, SLICE_NS
        end
      end
    end

    private

    def load_one_thread(hang_up:)
      server = OneThread.new
      open_raw(server) do |port|
        check = Load::Check.new(mode: :exact, body: FakeServer::BODY)
        target = Load::Target.new(host: "127.0.0.1", port:, connections: 4,
                                  requests: [Load::Request.new(check:)])
        with_driver([target]) do |driver|
          result = driver.run([Load::Step.new(duration_ns: SLICE_NS, edge_ns: 0,
                                             hang_up:)]).first
          yield result, driver.recording(0), server
        end
      end
    end

    # The same figure from the records alone.
    def per_s(result, recording)
      ended = recording.each.map { |one| one.due_ns + one.done_ns - result.started_ns }
      ended.count { |ns| ns <= result.loaded_ns } * 1e9 / result.loaded_ns
    end
  end
end
