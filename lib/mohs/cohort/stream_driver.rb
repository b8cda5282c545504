# frozen_string_literal: true

module Mohs
  module Cohort
    # Loads servers with event streams or WebSockets (Load::Streams), as a driver loads them with
    # requests: each step opens the target's connections and holds them until its time is over. With
    # a count it opens so many, until each has its first event or a message each has come back. A
    # record is what is timed (Study::Streams#timed): a stream, from when it had to be opened to its
    # first event, or to its opening if no messages are sent; else a message, from when it was due
    # to its echo, or to when 99 % of the connections have it. A connection that was not opened is a
    # failed record besides, as is one that the server dropped while messages should come (a
    # WebSocket in any case; of openings, in place of its own): fewer connections make the others
    # faster. Targets of a step are loaded one after the other.
    class StreamDriver < Drivers::Base
      # A step with a count ends after this time, whatever came. And how long the connections of a
      # step may stay open in the server, once its time is over: until a server next writes to one,
      # it does not know that the client has gone.
      COUNTED_S = 10
      AT_ONCE_PER_S = 1_000_000.0
      # Such a step opens WebSockets, and then sends its messages, at this rate, so that the first
      # is usually open when a message falls due.
      ECHOED_PER_S = 200.0
      LINGER_S = 10

      # Seconds between two looks at what the server has not closed.
      LOOK_S = 0.005

      # The share of a step after which its memory is read: with its connections open.
      READ_AT = 0.9

      #: (targets: Array[Load::Target], streams: Study::Streams, ?cpus: Array[Integer]?, **untyped) -> void
      def initialize(targets:, streams:, cpus: nil, **)
        super()
        @targets = targets
        @streams = streams
        @cpu = cpus&.first
        @epoch_ns = Clock.mono_ns
        @records = targets.map { +"".b }
        @watched = targets.map { [] }
        @first_failed = {}
        @results = {}
      end

      # The origin of the records' due_ns, on the monotonic clock.
      attr_reader :epoch_ns

      #: (Integer, Array[Integer]) -> void
      def watch(index, pids)
        @watched[index] = pids
      end

      #: (Integer) -> Load::Recording
      def recording(index) = Load::Recording.of(@records[index].dup)

      #: (Integer) -> Load::FailedResponse?
      def first_failed(index) = @first_failed[index]

      # Nothing is open between two steps.
      #: () -> void
      def close; end

      private

      def carry_out(steps)
        @results = {}
        steps.each_with_index do |step, index|
          step.targets.each { |target| @results[[index, target]] = load(step, index, target) }
        end
      end

      def result(step, target) = @results[[step, target]]

      def load(step, number, index)
        before = memory(index)
        streams = streams(step, targets[index])
        during, read_ns = memory_during(step, index) { streams.run }
        found = streams.result
        wait_for_closing(targets[index])
        @first_failed[index] ||= found.first_failed || found.first_refused
        records = records(found, warm_up: step.warm_up)
        @records[index] << records
        step_result(found, records, step: number, target: index,
                                    rss: { rss_bytes: during || before, rss_before_bytes: before,
                                           open_at_reading: (open_at(read_ns, found) if read_ns) })
      end

      # Memory shortly before the step's time is over, and when it was read; nil if it ended before
      # that, without its connections.
      def memory_during(step, index)
        length_s = step.duration_ns.to_i / 1e9
        ends = Clock.deadline(length_s)
        reader = Thread.new do
          sleep(READ_AT * length_s)
          at_ns = Clock.mono_ns
          [memory(index), at_ns]
        end
        yield
        reader.value if Clock.mono_ns >= ends
      ensure
        reader&.kill
      end

      # Connections that were open at this moment.
      def open_at(moment_ns, found)
        opened, dropped = [found.openings, found.drops].map do |recording|
          recording.each_row(%i[due_ns done_ns error]).select do |due_ns, took_ns, _|
            found.epoch_ns + due_ns + took_ns <= moment_ns
          end
        end
        opened.count { |row| row.last.zero? } - dropped.size
      end

      def streams(step, target)
        connections = [step.count, target.connections].compact.min
        websocket, cable = @streams.websocket?, @streams.cable
        more = cable&.headers(Load::Address.host_header(target)).to_h
        requests = target.requests.map { |one| Load::Streams.request(one, websocket:, more:) }
        of_step = Load::Target.new(**target.to_h, requests:, connections:,
                                                  max_connections: connections)
        Load::Streams.new(of_step, cpu: @cpu, websocket:, cable:, fan_out: @streams.fan_out,
                                   publish: @streams.post(target.requests.first),
                                   **amount(step, connections))
      end

      # With a count, event streams are opened at once.
      def amount(step, connections)
        return { duration_s: COUNTED_S, brief: true, **counted(connections) } if step.count

        duration_s = step.duration_ns / 1e9
        usual = Load::Streams.open_per_s(connections:, duration_s:)
        { duration_s:, open_per_s: @streams.open_per_s || usual, messages: step.arrivals }
      end

      def counted(connections)
        return { open_per_s: AT_ONCE_PER_S } unless @streams.messages?

        messages = Load::Arrivals.new(kind: :constant, rate_per_s: ECHOED_PER_S)
        { open_per_s: ECHOED_PER_S, messages:, events: connections }
      end

      # nil if no process is known.
      def memory(index)
        pids = @watched[index]
        Probes::Memory.rss_bytes(pids) if pids.any?
      end

      # Until then threads of the server may be busy with clients that have gone.
      def wait_for_closing(target)
        return unless target.port

        Probes::Listener.closed?(target.port, within_s: LINGER_S, look_s: LOOK_S)
      end

      # What is timed, and connections that were not opened or dropped. Times are since this
      # driver's epoch.
      def records(found, warm_up:)
        offset_ns = found.epoch_ns - @epoch_ns
        flags = warm_up ? Load::Recording::FLAGS.fetch(:warm_up) : 0
        timed(found).map do |row|
          fields = Core::RECORD_FIELDS.zip(row).to_h
          Core::Records.pack(**fields, due_ns: fields[:due_ns] + offset_ns,
                                       flags: fields[:flags] | flags)
        end.join
      end

      ERROR, CONNECTION = %i[error connection].map { |name| Core::RECORD_FIELDS.index(name) }
      private_constant :ERROR, :CONNECTION

      def timed(found)
        openings = rows(found.openings)
        drops = found.messages ? rows(found.drops) : []
        return held(openings, drops) + drops if @streams.timed == "opening"

        unopened = openings.reject { |row| row[ERROR].zero? }
        unopened + drops + rows(timed_recording(found))
      end

      # Without those of connections that were dropped.
      def held(openings, drops)
        dropped = drops.to_set { |row| row[CONNECTION] }
        openings.reject { |row| dropped.include?(row[CONNECTION]) }
      end

      def timed_recording(found)
        return found.fan_out.mosts if @streams.fan_out

        found.messages ? found.echoes : found.firsts
      end

      def rows(recording) = recording.each_row(Core::RECORD_FIELDS).to_a

      def step_result(found, packed, step:, target:, rss:)
        times = Load::Recording.of(packed)
        median, longest = times.ranked(:response, [0.5, 1.0])
        good = times.size - times.errors.values.sum
        Load::StepResult.new(
          step:, target:, started_ns: found.epoch_ns - @epoch_ns, **durations(found),
          sent: times.size, completed: found.opened, good:, errors: times.errors,
          bytes: found.bytes,
          latency_sum_ns: times.responses.sum(&:last), service_sum_ns: 0, in_use_ns: 0,
          turn_ns: 0, p50_ns: median&.exact_ns, max_ns: longest&.exact_ns,
          driver_cpu_ns: found.driver_cpu_ns, gone: false,
          thread_stats: { spins: false, **found.thread_stats, steal_share: nil }.freeze,
          connections: connections(found, times, targets[target]),
          streams: { **facts(found), **rss }
        )
      end

      def durations(found)
        %i[wall_ns loaded_ns span_ns].to_h { |name| [name, found.wall_ns] }
      end

      def connections(found, times, target)
        { asked: target.connections, opened: found.opened, lost: found.dropped,
          served: served(found, times), requests_min: 0, requests_max: 1 }.freeze
      end

      # Connections with an event, an echo or, if neither is expected, an upgrade. A message to all
      # is none of a single connection.
      def served(found, times)
        return found.opened if @streams.fan_out

        good = times.each_row(%i[connection error]).select { |_, error| error.zero? }
        good.uniq.size
      end

      def facts(found)
        { asked: found.asked, opened: found.opened, failed: found.errors, dropped: found.dropped,
          ends: found.ends, events: found.events, messages: found.messages,
          gaps: found.gaps.size, **quantiles(:gap, found.gaps),
          **quantiles(:opening, found.openings), **lags(found), **fan_out(found.fan_out) }
      end

      # From when messages were due to when they were sent.
      def lags(found)
        p50, p99 = found.echoes.lags([0.5, 0.99]) if found.messages
        { lag_p50_ns: p50, lag_p99_ns: p99 }
      end

      # Of messages to all.
      def fan_out(found)
        return {} unless found

        { fan_out: { due: found.due, came: found.came }, **quantiles(:half, found.halves),
          **quantiles(:most, found.mosts), **quantiles(:all, found.alls) }
      end

      # nil for one that is held by a failure.
      def quantiles(name, recording)
        p50, p99 = recording.ranked(:response, [0.5, 0.99]).map { |one| one&.exact_ns }
        { "#{name}_p50_ns": p50, "#{name}_p99_ns": p99 }
      end
    end
  end
end
