# frozen_string_literal: true

require "test_helper"

module Mohs
  # Bytes that nobody asked for, which come while a connection has no request: between two of an
  # open loop, while a client thinks, between two steps. Whoever reads them as the next answer
  # counts every later answer as that of the request after its own.
  class ExtraBytesTest < TestCase
    include LoadHelper

    FINE = FakeServer::FINE
    STRAYS = { "garbage" => "and more", "a second answer" => FINE }.freeze

    # Answers each request, after `reply_s`, and after the first of them that `when_` says sends
    # `stray`, `after_s` later.
    def stray(bytes, after_s:, reply_s: 0, when_: ->(_) { true })
      numbers = Queue.new
      (1..100_000).each { |number| numbers << number }
      lambda do |socket|
        loop do
          socket.gets("\r\n\r\n") or raise EOFError
          sleep reply_s
          socket.write(FINE)
          next unless when_.call(numbers.pop)

          sleep after_s
          socket.write(bytes)
        end
      end
    end

    def target(port, connections: 1, **options)
      check = Load::Check.new(mode: :exact, body: FakeServer::BODY)
      options = { requests: [Load::Request.new(check:)], **options } unless options[:scenario]
      Load::Target.new(host: "127.0.0.1", port:, connections:, **options)
    end

    # The results of each list of steps; the recording agrees with them.
    def run_lists(port, *lists, pause_s: 0, **options)
      with_driver([target(port, **options)]) do |driver|
        results = lists.flat_map { |steps| driver.run(steps).tap { sleep pause_s } }
        recording = driver.recording(0)
        sums = results.map(&:errors).reduce { |one, other| one.merge(other) { |_, a, b| a + b } }
        assert_equal sums, recording.errors
        assert_equal results.sum(&:sent), recording.size
        results.each do |result|
          assert_equal result.sent, result.good + result.errors.values.sum
          assert_equal result.completed, result.good
        end
        assert_equal results.map(&:good).sum, recording.good
        assert_equal results.filter_map(&:max_ns).max, recording.quantiles(:response, [1.0]).first
        return results
      end
    end

    STRAYS.each do |name, bytes|
      test "#{name} while an open loop's connection is idle" do
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 8)
        open_raw(stray(bytes, after_s: 0.005, when_: ->(number) { number <= 4 })) do |port|
          result, = run_lists(port, [Load::Step.new(count: 6, arrivals:)])
          assert_equal({ "extra_bytes" => 4 }, result.errors)
          assert_equal [2, 4], [result.good, result.connections[:lost]]
        end
      end

      test "#{name} while a client thinks" do
        scenario = Load::Scenario::File.load(scenario_file)
        open_raw(stray(bytes, after_s: 0.005, when_: ->(number) { number == 3 })) do |port|
          result, = run_lists(port, [Load::Step.new(count: 3)], scenario:)
          assert_equal({ "extra_bytes" => 1 }, result.errors)
          assert_equal [3, 2], [result.actions, result.finished]
        end
      end

      test "#{name} after the last answer of a list, and between two lists" do
        open_raw(stray(bytes, after_s: 0.15, when_: ->(number) { number == 2 })) do |port|
          first, second = run_lists(port, [Load::Step.new(count: 2)], [Load::Step.new(count: 2)],
                                    pause_s: 0.4)
          assert_equal [{}, { "extra_bytes" => 1 }], [first.errors, second.errors]
          assert_equal [2, 1], [first.good, second.good]
        end
      end

      # Without a rest, whatever comes 10 ms later is found by the list that follows.
      test "#{name} after the last answer of a list that is followed by another" do
        slow = stray(bytes, after_s: 0.01, reply_s: 0.03, when_: ->(number) { number == 2 })
        open_raw(slow) do |port|
          with_driver([target(port)]) do |driver|
            results = [true, false].map do |followed|
              driver.run([Load::Step.new(count: 2, followed:)]).first.tap { sleep 0.1 }
            end
            assert_equal [[{}, 2], [{ "extra_bytes" => 1 }, 1]],
                         (results.map { |one| [one.errors, one.good] })
          end
        end
      end
    end

    # Each answer comes 1 ms after its request. From the stray one on each is taken for that of the
    # request after its own, unless the stray one was there before that was sent; then one is left
    # over in the end, and here too late for the first list if the machine is busy.
    test "a second answer in a closed loop is found when its connection rests" do
      serve = lambda do |socket|
        (1..).each do |number|
          socket.gets("\r\n\r\n") or raise EOFError
          sleep 0.001
          socket.write(FINE)
          sleep(0.0005) && socket.write(FINE) if number == 50
        end
      end
      open_raw(serve) do |port|
        results = run_lists(port, [Load::Step.new(count: 300)], [Load::Step.new(count: 1)],
                            pause_s: 0.2)
        assert_equal ["extra_bytes"], results.flat_map { |result| result.errors.keys }
      end
    end

    # Answers which announce that the server closes => what the connections are kept for.
    CLOSING = { FINE.sub("\r\n", "\r\nConnection: close\r\n") => :on,
                FINE.sub("1.1", "1.0") => :on, FINE => :asked }.freeze

    # The stray bytes are there before the next request is answered.
    CLOSING.each do |answer, keep_alive|
      [{}, { arrivals: Load::Arrivals.new(kind: :constant, rate_per_s: 20) }].each do |step|
        kind = step.empty? ? "closed" : "open"
        test "more after #{answer[/.*/].inspect} closes, keep-alive #{keep_alive}, #{kind} loop" do
          numbers = Queue.new << 1
          serve = lambda do |socket|
            socket.gets("\r\n\r\n")
            number = numbers.pop
            socket.write(answer)
            sleep 0.005
            socket.write("more") if [3, 6].include?(number)
            numbers << (number + 1)
          end
          open_raw(serve) do |port|
            result, = run_lists(port, [Load::Step.new(count: 8, **step)], keep_alive:)
            assert_equal [6, { "extra_bytes" => 2 }], [result.good, result.errors]
          end
        end
      end
    end

    test "where the driver itself closes nothing comes between" do
      %i[fin rst].each do |keep_alive|
        # Once the driver has closed, however long that takes on a busy host.
        late = ->(socket) { reply(socket) && socket.wait_readable(5) && socket.write("more") }
        open_raw(late) do |port|
          result, = run_lists(port, [Load::Step.new(count: 20)], keep_alive:)
          assert_equal 20, result.good
        end
      end
    end

    test "a server that closes idle connections is no fault" do
      open_raw(->(socket) { reply(socket) }) do |port|
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 10)
        result, = run_lists(port, [Load::Step.new(count: 5, arrivals:)])
        assert_equal [5, {}], [result.good, result.errors]
      end
    end

    private

    def scenario_file
      path = File.join(Dir.mktmpdir("mohs-extra"), "think.yml")
      @folders = [*@folders, File.dirname(path)]
      File.write(path, <<~YAML)
        actions:
          - steps:
              - {get: /a, think: 120ms}
              - {get: /b, think: 120ms}
      YAML
      path
    end

    def teardown
      FileUtils.rm_rf(@folders.to_a)
      super
    end
  end
end
