# frozen_string_literal: true

require_relative "compare_result"
require_relative "noise"

# A comparison whose servers' readings are made up too: each side says what a request costs there.
# Times are in us per request and make up its CPU time; `front` is that of what stands in front,
# `between` what readings show in addition, `cores` how many of them were kept busy, `inside` and
# `kernel` are further counters per request, `gauges` states (an Enumerator has one for each trial),
# `memory` bytes at the end, `attested` what differs.
class ExplainedResult < CompareResult
  SIDE = {
    code: 300.0, gc: 50.0, system: 50.0, front: 0.0, between: 0.0, cores: 0.9,
    attested: {}, gauges: {},
    inside: { allocated_objects: 400.0, gc_count: 0.01 },
    kernel: { minor_faults: 0.5, voluntary_switches: 2.0, involuntary_switches: 0.1 },
  }.freeze
  # What a server has used besides its requests: it booted, and answers whoever reads.
  BEFORE = 500_000_000
  CONNECTIONS = 4

  # Which of a trial's slices `pauses` change.
  PAUSED = 3

  # a and b: what differs from SIDE. noise: the sd of every figure's logarithm, from trial to
  # trial. pauses: for each trial in turn, the factor by which one of its slices takes more CPU
  # time.
  def initialize(a: {}, b: {}, cohorts: 4, noise: 0.01, seed: 3, pauses: [1], **options)
    @pauses = pauses.cycle
    @sides = { "a" => a, "b" => b }.transform_values { |side| merged(side) }
    @random = Noise.new(seed)
    @sd = noise
    ratio = rate(@sides["b"]) / rate(@sides["a"])
    super([Math.log(ratio)] * cohorts, slice: method(:cost), trial: method(:read),
                                       planned: cohorts, **options)
  end

  private

  def merged(side)
    SIDE.merge(side) { |_, usual, own| usual.is_a?(Hash) ? { **usual, **own } : own }
  end

  def cpu_us(side) = side.values_at(:code, :gc, :system, :front).sum

  def rate(side) = side[:cores] * 1e6 / cpu_us(side)

  # Varies a value from trial to trial.
  def vary(value) = value * Math.exp(@sd * @random.normal)

  def cost(slice, name, _index, _position)
    return unless slice[:block]

    side = @sides.fetch(name)
    slice[:wall_ns] = (slice[:good] * 1e9 / rate(side)).round
    slice[:latency_sum_ns] = CONNECTIONS * slice[:wall_ns]
    slice[:p50_ns] = slice[:latency_sum_ns] / slice[:good]
  end

  # The slices' CPU time agrees with the readings.
  def read(trial, name, _position)
    side = @sides.fetch(name)
    lot = { **side, **side.slice(:code, :gc, :system).transform_values { |time| vary(time) },
            inside: side[:inside].transform_values { |count| count && vary(count) },
            kernel: side[:kernel].transform_values { |count| vary(count) },
            gauges: side[:gauges].transform_values { |of| of.is_a?(Enumerator) ? of.next : of } }
    measured = trial[:slices].select { |slice| slice[:block] }
    measured.each { |slice| slice[:cpu_ns] = (slice[:good] * cpu_us(lot) * 1000).round }
    readings = readings(lot, measured.group_by { |slice| slice[:block] })
    measured[PAUSED][:cpu_ns] *= @pauses.next
    attested = { **trial[:facts][:attested], **side[:attested] }
    trial.merge!(facts: { **trial[:facts], attested:, readings:, **memory(side),
                          **front(side, measured) })
  end

  def memory(side)
    side[:memory] ? { memory: { at_end: { tree_bytes: vary(side[:memory]).round } } } : {}
  end

  # Does not vary from trial to trial.
  def front(side, measured)
    requests = measured.sum { |slice| slice[:good] }
    return {} if side[:front].zero?

    { front: { cpu_ns: (side[:front] * 1000 * requests).round, requests:, memory_bytes: 0 } }
  end

  def readings(lot, blocks)
    good = 0
    [reading(lot, nil, good)] + blocks.map do |block, slices|
      reading(lot, block, good += slices.sum { |slice| slice[:good] })
    end
  end

  def reading(lot, block, good)
    kernel = { user_ns: (lot[:code] + lot[:gc]) * 1000,
               system_ns: (lot[:system] + lot[:between]) * 1000,
               **lot[:kernel] }
    inside = { gc_time_ns: lot[:gc] * 1000, **lot[:inside] }
    { block:, sent: good, good:, kernel: { **counted(kernel, good), **states(lot, :kernel) },
      inside: { **counted(inside, good), **states(lot, :inside) } }
  end

  def states(lot, source) = lot[:gauges].slice(*Mohs::Analysis::Measures.names(source))

  def counted(figures, good)
    figures.compact.transform_values { |each| BEFORE + (each * good).round }
  end
end
