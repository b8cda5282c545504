# frozen_string_literal: true

require_relative "../support/driver_pulse"

module Mohs
  # Facts by which each self-check comes to each of its cases, "trend.slower" say: what every one of
  # them finds is phrased, and compared with test/fixtures/screens/checks.txt.
  module CheckExamples
    SLICE = { block: 0, sent: 1000, good: 1000, errors: {}, wall_ns: 100_000_000,
              latency_sum_ns: 400_000_000, service_sum_ns: 400_000_000, loaded_ns: 100_000_000,
              in_use_ns: 400_000_000, turn_ns: 4_000, driver_cpu_ns: 10_000_000,
              pulse: DRIVER_PULSE.merge(waited_ns: 100_000, gaps_ns: 100_000) }.freeze

    # One trial without a fault, of a closed loop, and what its slices have in an open one.
    FACTS = {
      slices: [SLICE.merge(block: nil), *([SLICE] * 8)], recorded: 9000, threads: 1,
      connections: { asked: 4, opened: 4, lost: 0, served: 4 },
      stalls: Analysis::Checks::Stalls.count { 0 },
      connects: { slow: 0, opened: 4 },
      jit: { declared: "yjit", at_boot: "yjit", at_end: "yjit" },
      workers: { declared: 2, at_end: 2, served: 2 },
      answers: [{ request: "GET /", status: 200, length: 12, kind: "body", note: nil }],
      attested: { jit: "yjit", pool: 8, threads: 8, workers: 2 }, memory_bytes: 152_000_000,
      warm_up: { outcome: "warm", requests: 4000, seconds: 0.6 },
      idle: { wall_ns: 8_000_000_000, cpu_ns: 9_000_000 }, apart: true,
      programs: { cpu_ns: 10_000_000, own_ns: 5_000_000_000, requests: 8000 },
      arrivals: { kind: "poisson", windows: 100, index: 1.1 }, empty_per_s: 99_000.0,
    }.freeze
    UNEVEN = { declared: 2, at_end: 2, served: 2, uneven: 2, slices: 24 }.freeze
    OPEN = { offered: 1000, unsent: 0, late: 0, lag_ns: { p50: 30_000, p99: 100_000 } }.freeze

    module_function

    # FACTS, with slices that differ so from SLICE, or with other facts.
    def facts(slice = {}, pulse: {}, **others)
      slice = SLICE.merge(slice)
      slice = slice.merge(pulse: slice[:pulse].merge(pulse)) if slice[:pulse]
      FACTS.merge({ slices: [slice] * 8 }, others)
    end

    # Slices whose connections were in use for so long.
    def busy(in_use_ns, pulse: {}, **slice)
      facts({ in_use_ns:, service_sum_ns: in_use_ns, **slice }, pulse:)
    end

    # Slices whose rate is not that of all their time.
    def timed(**slice) = facts({ wall_ns: 101_000_000, span_ns: 100_000_000, **slice })

    def open_loop(**slice) = facts(OPEN.merge(slice))

    def wrong(kind, bytes = nil, **apart)
      facts({ good: 900, errors: { kind => 100 } },
            specimen: bytes && { error: kind, status: 500, bytes:, **apart })
    end

    DIFFERENCE = { request: "GET /wiki", part: "body", offset: 1204, right: "user 5</p>",
                   wrong: "user 7</p>" }.freeze

    # Asked again after wrong answers: one at a time so many were wrong, of so many.
    def asked_again(kind = "wrong_body", alone: [0, 60], workers: [], **diagnosis)
      counts = [[nil, *alone], *workers].map { |pid, wrong, asked| { pid:, asked:, wrong: } }
      all = { connections: 8, alone: counts.first, workers: counts.drop(1),
              difference: DIFFERENCE, **diagnosis }
      wrong(kind).merge(diagnosis: all)
    end

    def heaps(*names)
      counts = [40, 200].zip(FACTS[:stalls]).map do |ms, none|
        names.include?(ms) ? { inside: 800, beside: 3 } : none
      end
      facts(stalls: counts)
    end

    def slower
      slices = (100..159).map { |ms| SLICE.merge(latency_sum_ns: ms * 1_000_000) }
      facts(slices:)
    end

    ALL = {
      "answers.expected" => FACTS,
      "answers.followed" => FACTS.merge(answers: [], scenario: true),
      "answers.wrong" => wrong("wrong_status"),
      "answers.wrong_apart" =>
        wrong("wrong_body", "\"<html>\"",
              difference: { offset: 1204, right: "user 5".inspect, wrong: "user 7".inspect }),
      "answers.wrong_shown" => wrong("wrong_status", "\"<h1>We're sorry\""),
      "answers.shared_state" => asked_again(processes: 1, threads: 5, instead: "puma:2x1"),
      "answers.at_once" => asked_again(difference: nil),
      "answers.under_load" => asked_again(
        "wrong_status", processes: 1, threads: 5,
        difference: { request: "GET /", part: "status", right: 200, wrong: 503 },
      ),
      "answers.some_workers" => asked_again(
        alone: [30, 60], workers: [[4711, 30, 31], [4712, 0, 29]], processes: 2,
        difference: { request: "GET /", part: "length", right: 12, wrong: 9 },
      ),
      "answers.alone_too" => asked_again(alone: [60, 60], workers: [[4711, 60, 60]], processes: 1),
      "answers.signed_out" => asked_again(
        alone: [60, 60], workers: [[4711, 60, 60]], processes: 1,
        difference: { request: "GET /me", part: "status", right: 200, wrong: 302,
                      signed_out: true },
      ),
      "arrivals.on_time" => FACTS,
      "arrivals.clumped" => facts(arrivals: { kind: "constant", windows: 100, index: 3.25 }),
      "connects.prompt" => FACTS,
      "connects.full_queue" => facts(connects: { slow: 390, opened: 1000 }),
      "connects.stood_still" => facts(pulse: { gap_max_ns: 2_000_000_000, stalls: 1,
                                               stalled_ns: 2_000_000_000 }),
      "counts.complete" => FACTS,
      "counts.differ" => facts(recorded: 7999),
      "driver_share.spins" => facts(pulse: { spins: true }),
      "driver_share.free" => FACTS,
      "driver_share.busy" => facts({ driver_cpu_ns: 60_000_000 }),
      "driver_share.full" => facts({ driver_cpu_ns: 86_000_000 }),
      "driver_share.busy_at_times" => facts(pulse: { busy: 9 }),
      "driver_share.full_at_times" => facts(pulse: { busy: 9, full: 7 }),
      "driver_stalls.none" => FACTS,
      "driver_stalls.stood_still" => facts(pulse: { gap_max_ns: 2_000_000_000, stalls: 1,
                                                    stalled_ns: 20_000_000 }),
      "driver_stalls.shared_core" => facts(apart: false),
      "driver_waits.seldom" => FACTS,
      "driver_waits.often" => facts(pulse: { waited_ns: 20_000_000 }),
      "driver_waits.stolen" => facts(pulse: { steal_share: 0.02 }),
      "driver_waits.uncounted" => facts(pulse: { waited_ns: nil }),
      "driver_waits.shared_core" => facts(apart: false),
      "errors.nothing_sent" => facts({ sent: 0, good: 0 }),
      "errors.none" => FACTS,
      "errors.failed" => wrong("reset_between_requests"),
      "errors.failed_shown" => wrong("bad_status_line", "\"HTTP/0.9\""),
      "event_age.unread" => facts({ pulse: nil }),
      "event_age.prompt" => FACTS,
      "event_age.waited" => facts(pulse: { age_sum_ns: 80_000_000 }),
      "event_age.shared_core" => facts(apart: false),
      "headroom.enough" => FACTS,
      "headroom.little" => facts(empty_per_s: 29_900.0),
      "headroom.unmeasured" => facts({ block: nil }),
      "headroom.missing" => facts(empty_per_s: nil),
      "idle.always_loaded" => facts(idle: { wall_ns: 499_000_000, cpu_ns: 0 }),
      "idle.quiet" => FACTS,
      "idle.busy" => facts(idle: { wall_ns: 8_000_000_000, cpu_ns: 6_200_000_000 }),
      "programs.unmeasured" => facts(programs: { cpu_ns: nil, own_ns: 1, requests: 1 }),
      "programs.few" => FACTS,
      "programs.left_out" => facts(programs: { cpu_ns: 200_000_000, own_ns: 500_000_000,
                                               requests: 80 }),
      "jit.unattested" => facts(jit: { declared: "yjit", at_boot: nil, at_end: nil }),
      "jit.same" => FACTS,
      "jit.changed" => facts(jit: { declared: "yjit", at_boot: "yjit", at_end: "off" }),
      "jit.other" => facts(jit: { declared: "yjit", at_boot: "off", at_end: "off" }),
      "little_law.open_loop" => open_loop,
      "little_law.scenario" => FACTS.merge(scenario: true),
      "little_law.failures" => wrong("timeout"),
      "little_law.holds" => FACTS,
      "little_law.turns" => busy(370_000_000, turn_ns: 25_000),
      "little_law.below" => busy(300_000_000),
      "little_law.lost" => busy(300_000_000, turn_ns: 40_000),
      "little_law.above" => busy(420_000_000),
      "little_law.rate_below" => timed(span_ns: 130_000_000),
      "little_law.rate_above" => timed(span_ns: 80_000_000),
      "little_law.short" => timed(good: 8),
      "little_law.uncounted" => busy(370_000_000, pulse: { waited_ns: nil }),
      "offered_rate.closed_loop" => FACTS,
      "offered_rate.held" => open_loop,
      "offered_rate.late" => open_loop(late: 20),
      "offered_rate.never" => open_loop(late: 20, unsent: 400),
      "outage.none" => FACTS,
      "outage.gone" => facts({ started_ns: 0, p50_ns: 400_000,
                               outage: { from_ns: 1_020_000_000, ns: 5_040_000_000 } }),
      "held.nothing" => FACTS,
      "held.unattested" => facts(held: { concurrency: 16 }, attested: { workers: 2 }),
      "held.equal" => facts(held: { concurrency: 16, memory_bytes: 300_000_000 }),
      "held.concurrency" => facts(held: { concurrency: 8 }),
      "held.memory" => facts(held: { memory_bytes: 100_000_000 }),
      "pool.none" => facts(attested: { pool: nil, threads: 5 }),
      "pool.enough" => FACTS,
      "pool.small" => facts(attested: { pool: 3, threads: 5 }),
      "pool.sequel" => facts(attested: { pool: 4, threads: 5, gems: { sequel: "5.98.0" } }),
      "send_lag.closed_loop" => FACTS,
      "send_lag.never_free" => open_loop(lag_ns: { p50: nil, p99: nil }),
      "send_lag.prompt" => open_loop,
      "send_lag.late" => open_loop(lag_ns: { p50: 1, p99: 2_500_000 }),
      "served.all" => FACTS,
      "served.died" => facts(workers: { declared: 2, at_end: 1, served: 1 }),
      "served.replaced" => facts(workers: { declared: 2, at_end: 2, served: 2, replaced: 1 }),
      "served.idle" => facts(workers: { declared: 2, at_end: 2, served: 1 }),
      "served.starved" => facts(connections: { asked: 4, opened: 4, lost: 0, served: 3 }),
      "served.repeated" => facts(workers: { **UNEVEN, uneven: 0, repeated: 1 }),
      "served.crowded" => facts(workers: { declared: 2, at_end: 2, served: 2, most_connections: 7 },
                                connections: { asked: 10, opened: 10, lost: 0, served: 10 },
                                attested: { workers: 2, threads: 5 }),
      "served.uneven" => facts(workers: UNEVEN),
      "served.starved_and_uneven" => facts(workers: UNEVEN,
                                           connections: { asked: 4, served: 3 }),
      "served.idle_and_starved" => facts(workers: { declared: 2, at_end: 2, served: 1 },
                                         connections: { asked: 4, served: 3 }),
      "stalls.none" => FACTS,
      "stalls.at_40" => heaps(40),
      "stalls.at_200" => heaps(200),
      "stalls.at_both" => heaps(40, 200),
      "steady.warm" => FACTS,
      "steady.capped" => facts(warm_up: { outcome: "capped", requests: 9, seconds: 30.2 }),
      "steady.short" => facts(warm_up: { outcome: "capped", requests: 40, seconds: 1.1,
                                         curve: { rising: nil, most_s: 30 } }),
      "steady.replaced" => facts(warm_up: { outcome: "short", requests: 56, seconds: 30.1,
                                            renewed: 123 }),
      "steady.rising" => facts(warm_up: { outcome: "capped", requests: 65_536, seconds: 180.2,
                                          curve: { rising: true, first_per_s: 64.2, rise: 0.41,
                                                   last_per_s: 696.0, compilers: 0.3,
                                                   warm_s: 500.0 } }),
      "trend.few" => facts(slices: [SLICE] * 7),
      "trend.none" => FACTS,
      "trend.slower" => slower,
    }.freeze
  end
end
