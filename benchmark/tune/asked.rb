# frozen_string_literal: true

require "json"
require "open3"
require "tmpdir"

module Mohs
  # Asks `mohs tune` as its user would, and keeps what the benchmarks need of its answer.
  module Asked
    module_function

    # { pick:, same: names of the settings that share its group, left: names of those that it could
    # not tell from the pick because it did not search them, found: [{ setting => what
    # Cohort::TuningSearch found }] by boot, busy: { setting => requests/s with all threads busy },
    # first_s: seconds until an interval was printed, seconds:, announced_s:, others_cpu: the share
    # of the CPU that other processes took, version:, date: } of a tuning with these options.
    #: (*String) -> Hash[Symbol, untyped]
    def tune(*argv)
      Dir.mktmpdir("mohs-benchmark") do |folder|
        database = File.join(folder, "mohs.db")
        document, first_s = ask(database, argv)
        { **answer(document), **stored(database), first_s: first_s&.round(1),
          seconds: document["seconds"].round,
          others_cpu: document.dig("host", "noise", "foreign_cpu_share")&.round(3),
          version: VERSION, date: Time.now.strftime("%F") }
      end
    end

    # { setting => requests/s } of what was found, without searches that found none.
    #: (Hash[String, Hash[String, untyped]]) -> Hash[String, Float]
    def rates(found)
      found.select { |_, one| one["outcome"] == "found" }
           .transform_values { |one| one["rate_per_s"] }
    end

    # A tuning of the ledger: "2x3, first interval after 25 s, 303 s of 300 s announced, others took
    # 1 % of the CPU".
    #: (Hash[String, untyped]) -> String
    def to_s(one)
      "#{one['pick'] || 'no pick'}, first interval after #{one['first_s'] || 'never'} s, " \
        "#{one['seconds']} s of #{one['announced_s']} s announced, others took " \
        "#{(one['others_cpu'].to_f * 100).round(1)} % of the CPU"
    end

    def ask(database, argv)
      began_ns, first_s = Clock.mono_ns, nil
      Open3.popen3({ "MOHS_DATABASE_URL" => database }, File.join(Mohs.root, "bin/mohs"), "tune",
                   "--json", *argv) do |input, out, err, thread|
        input.close
        document = Thread.new { out.read }
        err.each_line do |line|
          first_s ||= (Clock.mono_ns - began_ns) / 1e9 if line.match?(/\[[\d ,.]+\]/)
        end
        raise "mohs tune: #{thread.value}" unless thread.value.success?

        return [JSON.parse(document.value), first_s]
      end
    end
    private_class_method :ask

    def answer(document)
      pick = document.dig("recommendation", "name")
      settings = document["settings"]
      groups = settings.to_h { |one| [one["name"], one["group"].to_s.chars] }
      same = groups.select { |name, letters| name == pick || letters.intersect?(groups[pick].to_a) }
      left = settings.select { |one| %w[raced cut].include?(one["state"]) }
      { pick:, same: same.keys, left: left.map { |one| one["name"] },
        busy: settings.to_h { |one| [one["name"], one.dig("busy_per_s", "value")&.round(1)] } }
    end
    private_class_method :answer

    def stored(database)
      store = Store.open(database)
      run = store.result(store.runs.first.id)
      found = run.cohorts.select { |cohort| cohort.spec.search_s }.map do |cohort|
        cohort.trials.to_h { |trial| [trial.variant, trial.found] }.compact
      end
      { announced_s: run.plan.estimate_s.round, found: }
    ensure
      store&.close
    end
    private_class_method :stored
  end
end
