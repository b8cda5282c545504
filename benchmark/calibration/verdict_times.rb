# frozen_string_literal: true

require "tmpdir"
require_relative "../lines_ledger"

module Mohs
  module Calibration
    # How long a person waits for a verdict on an application, and how much of that time is load
    # that counts: runs a command of mohs as it is typed, and keeps what became of it as a line of
    # verdict_times.ndjson beside this file. Lines already there count.
    class VerdictTimes
      LEDGER = LinesLedger.new(File.join(__dir__, "verdict_times.ndjson"))
      MOST_S = 900
      HEAD = ["what", "times", "answers", "seconds to the verdict", "load, of the cohorts' time",
              "other processes, of the CPU"].freeze

      # The cells of each label's row.
      #: () -> Array[Array[String | Integer]]
      def self.rows
        LEDGER.of("verdict").group_by { |line| line["label"] }
              .map { |label, lines| [label, *cells(lines)] }
      end

      # The command of each label, and what another tool found (lines of the kind "beside", written
      # by hand).
      #: () -> Array[String]
      def self.commands
        beside = LEDGER.of("beside").to_h { |line| line.values_at("label", "text") }
        LEDGER.of("verdict").to_h { |line| line.values_at("label", "command") }
              .map { |label, command| ["#{label}: `#{command}`", *beside[label]].join(". ") }
      end

      def self.cells(lines)
        [lines.size, lines.map { |line| answer(line) }.join(", "),
         lines.map { |line| line["verdict_s"].round }.sort.join(", "),
         range(lines.map { |line| line["load_share"] }),
         range(lines.map { |line| line["foreign"] })]
      end

      # "+36 % [23, 51]", of a run "3.4.5 --yjit +36 % [23, 51]".
      def self.answer(line) = [*line["variant"], figures(line)].join(" ")

      def self.figures(line)
        better = line.fetch("better", "more")
        change = line["effect"] && Report::Change.new(line.transform_keys(&:to_sym), better:)
        return [line["outcome"], *change&.interval].join(" ") if line["outcome"] == "undecided"

        (change || line["outcome"]).to_s
      end

      def self.range(shares)
        "#{shares.compact.map { |one| (one * 100).round }.minmax.uniq.join(' to ')} %"
      end
      private_class_method :cells, :answer, :figures, :range

      # command: the words after `mohs`. folder: where they are typed.
      #: (String, Array[String], folder: String) -> void
      def initialize(label, command, folder:)
        @label = label
        @command = command
        @folder = folder
      end

      # The application's gems should be installed: run the command once before.
      #: (Integer) -> void
      def measure(times)
        Dir.mktmpdir("mohs-verdict") do |folder|
          @env = { "MOHS_DATABASE_URL" => "sqlite://#{File.join(folder, 'mohs.db')}" }
          times.times { LEDGER.keep({ kind: "verdict", label: @label, **once }) }
        end
      end

      private

      # verdict_s: without the cohort in which each is alone, which comes after the verdict.
      def once
        started = Clock.mono_ns
        document = mohs
        wall_s = (Clock.mono_ns - started) / 1e9
        { command: Shell.command(["mohs", *@command]),
          **verdict(document).slice("variant", "outcome", "effect", "interval"),
          **better(document),
          verdict_s: (wall_s - document.dig("cohorts", "alone_s").to_f).round(1),
          load_share: load_share(document["run"]),
          foreign: document.dig("host", "noise", "foreign_cpu_share"), **LinesLedger.origin }
      end

      # Of a comparison, or of the first row of a run that has one; one is decided if any is: a
      # short run leaves candidates out.
      def verdict(document)
        return document["verdict"] if document["verdict"]

        rows = document["rows"].select { |row| row["verdict"] }
        found = rows.map { |row| { **row["verdict"], **row.slice("variant") } }
                    .reject { |one| one["outcome"] == "baseline" }
        found.find { |one| one["outcome"] != "undecided" } || found.first.to_h
      end

      # Whether less of the metric that decides a comparison is better.
      def better(document)
        decides = document.dig("verdict", "metric")
        document["metrics"].to_a.find { |one| one["key"] == decides }.to_h.slice("better")
      end

      def mohs
        command = Process::Command.new(argv:, env: @env, chdir: @folder)
        said = Process::Capture.call(command, timeout_s: MOST_S)
        raise Error, said.stderr if said.stdout.empty?

        JSON.parse(said.stdout)
      end

      def argv = [File.join(Mohs.root, "bin/mohs"), *@command, "--json"]

      # Of the time of cohorts until the verdict, that in which a measured slice ran.
      def load_share(key)
        store = Store.open(@env["MOHS_DATABASE_URL"])
        cohorts = store.result(store.run(key).id).cohorts
                       .select { |one| one.seconds && !one.spec.own[:solo] }
        (cohorts.sum { |one| loaded_s(one) } / cohorts.sum(&:seconds)).round(3)
      ensure
        store&.close
      end

      # Seconds in which at least one of its servers was measured.
      def loaded_s(cohort)
        spans = Store::Slice.measured(cohort.trials.flat_map(&:slices))
                            .map { |one| [one.started_ns, one.started_ns + one.wall_ns] }.sort
        until_ns = 0
        spans.sum do |from, to|
          more = [to - [from, until_ns].max, 0].max
          until_ns = [until_ns, to].max
          more
        end / 1e9
      end
    end
  end
end
