# frozen_string_literal: true

# Made-up points of a history: one log ratio to the reference for each.
module SampleHistory
  module_function

  DAY_MS = 86_400_000

  # nil: a point without figures. biases: { index => [below, above] }.
  def points(logs, key: :throughput_per_s, biases: {})
    logs.each_with_index.map do |log, index|
      short = format("c%06x", index)
      commit = { id: short * 5, short:, date: "2026-10-01", title: "Change #{index}", changes: 0 }
      effects = log ? { key => [log, log - 0.01, log + 0.01] } : {}
      off = biases[index] ? { key => biases[index] } : {}
      Mohs::Track::Point.new(id: index, track: "shop", run: format("%04x", index), run_id: index,
                             at_ms: index * DAY_MS, reference: "@v1", reference_id: "@0f3a",
                             requested: ["GET /"], connections: 4, commit:, effects:, biases: off,
                             finding: log ? nil : failed("it did not boot"))
    end
  end

  # Why a point has no figures, as stored.
  def failed(summary)
    { code: "side_failed",
      values: { side: "B", variant: "b", reason: { code: nil, summary:, remedy: nil, values: {} },
                spoiled: nil } }
  end

  # The document of a history with these points.
  def document(points)
    history = Mohs::Track::Result.new(points, metric: Mohs::Analysis::Metric::ALL.first)
    Mohs::Track::Document.document("shop", history)
  end

  # Steps from level to level: [[count, level], ...], with seeded noise.
  def steps(*steps, sd: 0.005, seed: 1)
    random = Random.new(seed)
    steps.flat_map { |count, level| Array.new(count) { level + (sd * normal(random)) } }
  end

  def normal(random) = Array.new(12) { random.rand }.sum - 6
end
