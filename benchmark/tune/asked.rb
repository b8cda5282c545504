# frozen_string_literal: true

require "json"
require "open3"
require "tmpdir"
require_relative "../lines_ledger"

module Mohs
  # Asks `mohs tune` as its user would, and keeps what the benchmarks need of its answer.
  module Asked
    # An interval on the screen, and what follows that of the first boots alone.
    INTERVAL = /\[[\d ,.]+\]/
    ON_BOOTS = /\]\s+(?:on\s+its\s+only|over\s+its\s+first)\s/
    private_constant :INTERVAL, :ON_BOOTS

    module_function

    # { pick:, same: names of the settings that share its group (nil if it has none: too few boots,
    # or a bound), left: names of those that it could not tell from the pick because it did not
    # search them, found: [{ setting => what Tune::Search found }] by boot, busy: { setting
    # => requests/s with all threads busy }, first_s: seconds until an interval was printed (of the
    # first boots alone, which the line says), over_boots_s: until one over three boots was,
    # seconds:, announced_s:, others_cpu: the share of the CPU that other processes took, commit: of
    # mohs, date: } of a tuning with these options.
    #: (*String) -> Hash[Symbol, untyped]
    def tune(*argv)
      Dir.mktmpdir("mohs-benchmark") do |folder|
        database = File.join(folder, "mohs.db")
        document, first_s, over_boots_s = ask(database, argv)
        { **answer(document), **stored(database), first_s:, over_boots_s:,
          seconds: document["seconds"].round,
          others_cpu: document.dig("host", "noise", "foreign_cpu_share")&.round(3),
          **LinesLedger.origin }
      end
    end

    # { setting => requests/s } of what was found, without searches that found none.
    #: (Hash[String, Hash[String, untyped]]) -> Hash[String, Float]
    def rates(found)
      found.select { |_, one| one["outcome"] == "found" }
           .transform_values { |one| one["rate_per_s"] }
    end

    # A tuning of the ledger: "2x3, first interval after 9 s (over three boots: 25 s), 303 s of 300
    # s announced, others took 1 % of the CPU".
    #: (Hash[String, untyped]) -> String
    def to_s(one)
      "#{one['pick'] || 'no pick'}, first interval after #{one['first_s'] || 'never'} s (over " \
        "three boots: #{one.fetch('over_boots_s') { one['first_s'] } || 'never'} s), " \
        "#{one['seconds']} s of #{one['announced_s']} s announced, others took " \
        "#{(one['others_cpu'].to_f * 100).round(1)} % of the CPU"
    end

    def ask(database, argv)
      began_ns = Clock.mono_ns
      Open3.popen3({ "MOHS_DATABASE_URL" => database }, File.join(Mohs.root, "bin/mohs"), "tune",
                   "--json", *argv) do |input, out, err, thread|
        input.close
        document = Thread.new { out.read }
        lines = err.each_line.map { |line| [line, ((Clock.mono_ns - began_ns) / 1e9).round(1)] }
        raise "mohs tune: #{thread.value}" unless thread.value.success?

        return [JSON.parse(document.value), *intervals(lines)]
      end
    end
    private_class_method :ask

    # When the first interval was printed, and the first that is not of the first boots alone; a
    # sentence may be wrapped. lines: [text, seconds].
    def intervals(lines)
      shown = lines.each_with_index.select { |(line, _), _| line.match?(INTERVAL) }
      over = shown.reject { |(line, _), at| [line, lines.dig(at + 1, 0)].join.match?(ON_BOOTS) }
      [shown, over].map { |found| found.dig(0, 0, 1) }
    end
    private_class_method :intervals

    def answer(document)
      pick = document.dig("recommendation", "name")
      settings = document["settings"]
      groups = settings.to_h { |one| [one["name"], one["group"].to_s.chars] }
      same = groups.select { |_, letters| letters.intersect?(groups[pick].to_a) }.keys
      left = settings.select { |one| %w[raced cut].include?(one["state"]) }
      { pick:, same: (same if same.any?), left: left.map { |one| one["name"] },
        busy: settings.to_h { |one| [one["name"], one.dig("busy_per_s", "value")&.round(1)] } }
    end
    private_class_method :answer

    def stored(database)
      store = Store.open(database)
      run = store.result(store.runs.first.id)
      found = run.cohorts.select { |cohort| cohort.spec.own[:search_s] }.map do |cohort|
        cohort.trials.to_h { |trial| [trial.variant, trial.found] }.compact
      end
      { announced_s: run.plan.estimate_s.round, found: }
    ensure
      store&.close
    end
    private_class_method :stored
  end
end
