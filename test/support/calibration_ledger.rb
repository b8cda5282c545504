# frozen_string_literal: true

# A made-up session of rake calibrate whose truth is known: a loop of 1000 rounds that costs a
# fifth of requests/s, and comparisons with the given differences.
class CalibrationLedger
  ABOUT = { app: "primes", ruby: "3.1.2", command: "rake calibrate", date: "2030-01-02",
            version: "1", host: "a host" }.freeze

  def self.of(*entries, path: "/nowhere.json")
    Mohs::Calibration::Ledger.new(path, about: ABOUT, entries:)
  end

  def self.truth(throughput: -Math.log(1.2), cpu: -Math.log(1.25), rounds: 1000)
    { kind: "truth", rounds:, blocks: 50, throughput:, cpu:, error: 0.002 }
  end

  def self.live(name, outcome, interval: [0.99, 1.01], wall_s: 10.0, logs: [0.0, 0.01, -0.01],
                rounds: nil)
    { kind: "live", case: name, rounds:, wall_s:, outcome:, state: "differs", interval:,
      cpu: interval, reasons: [], foreign: 0.5, seconds: logs.map { 2.0 },
      differences: logs.map { |log| [log, log / 2, nil] } }
  end

  # Long runs at these rates, of 5 s each.
  def self.practice(*rates)
    { kind: "practice", runs: rates.map { |rate| { rate:, cpu_us: 1e6 / rate, wall_s: 5.0 } } }
  end
end
