# frozen_string_literal: true

module Mohs
  module Calibration
    # docs/calibration.md, made from the published ledgers of one commit: first what a person can
    # expect, then goals and what was measured, and the results of each case.
    class Page
      # Goals for an application that boots fast: seconds in which nine of ten comparisons have a
      # verdict, by case.
      SECONDS = { "aa" => 30, "1" => 30, "2" => 15, "20" => 8 }.freeze
      FALSE_SHARE = 0.05
      COVERED = 0.95
      IN_TIME = 0.9

      # Goal for the time of the practice's plan (30 x 30 000 requests a side) over the time to a
      # verdict on 2 %.
      PLAN_RATIO = 30

      # Goals for variance x seconds of long runs over ours, on a restless host and on a quiet one.
      # A restless host is one where long runs of the same server spread by more than this many per
      # cent.
      EFFICIENCY = { restless: 20, quiet: 3 }.freeze
      RESTLESS = 4

      HEAD = <<~TEXT
        # How often mohs is right, and how quickly

        This page checks what `mohs compare` promises (docs/method.md) with real comparisons, in random order within one session: of
        an application with itself (A/A), and with a copy that runs a loop before each request and so is slower by a known amount.
        The loop's true cost is measured separately, in one process that switches it on and off (benchmark/calibration/truth.rb).
        `undecided` is an honest answer; a false verdict is `faster` or `slower` when there is no difference. A time of `> 60 s` is one of
        comparisons that were undecided after their budget. Few comparisons show little: a share has the bound that it does not
        exceed (or fall below) with a chance of 95 %, and a goal is `reached` if that bound reaches it, missed if the other bound
        does. Intervals are compared with the loop's true cost as it was measured, allowing for that measurement's own error.
        Live comparisons are of one commit; cohorts that earlier versions recorded are judged by this one, here and by the tests
        (test/fixtures/cohorts). This page is made by

            rake calibrate calibrate:publish

        with RUNS=100 (A/A), INJECTED=20 (each other case), MINUTES=30, SHIELD=1 (compare with --shield), NOTE="..." and others in the
        environment (benchmark/calibration/settings.rb). A session that was stopped continues when it is called again.
      TEXT

      # Of these, the page has those of the commit that was measured last.
      #: (Array[Calibration::Ledger]) -> void
      def initialize(ledgers)
        dated = ledgers.select { |ledger| ledger.about[:commit] }
        commit = dated.max_by { |ledger| ledger.about[:date] }&.about&.fetch(:commit)
        @ledgers, @earlier = ledgers.partition { |ledger| ledger.about[:commit] == commit }
      end

      # The output of `ruby benchmark/core_speed.rb`, with an introduction.
      CORE_SPEED = File.join(__dir__, "core_speed.md")

      ANSWERS = %w[comparisons right undecided wrong].freeze

      REPLAYED = <<~TEXT
        ## What to expect, by recorded cohorts

        This version judged these cohorts, which earlier ones recorded (`primes`, Ruby 3.1.2, budgets of 60 s, 2026-11-20 and 21, an AMD
        EPYC of 2 virtual cores, mostly restless). Seconds are those of cohorts, without the start and what lies between them. What
        the adjustment for core speed may be off by was not recorded then: live comparisons have each end of an interval about 1 %
        further out where they adjust, so "equal within 1 %" is out of their reach there, and 1 or 2 % takes longer than this table
        says.
      TEXT

      APPLICATIONS = <<~TEXT
        ## Applications, by the command that a person types

        After installation, from the command to the verdict (`rake calibrate:verdict`). Load is the time in which a measured slice
        ran; the rest are boots, warm-ups, checks and stops. A cohort in which each is alone comes after the verdict, and is not
        counted.

        Wanted are 60 s for a comparison, 90 s for a first run (four variants), and 60 % load. Warm-ups take what slices don't, and
        more slices for each boot would not make a verdict sooner (docs/method.md, Where the time of a cohort goes).
        A p99 is compared on a page of which one request in 50 is slow (benchmark/calibration/seldom): by arithmetic, its p99 is
        that of the slow ones.
      TEXT

      #: () -> String
      def to_s
        [HEAD, replayed, expectations, applications, *@ledgers.map { |ledger| section(ledger) },
         File.read(CORE_SPEED)].compact.join("\n")
      end

      # The section about one session.
      #: (Calibration::Ledger) -> String
      def section(ledger)
        summary = Summary.new(ledger)
        [facts(ledger.about, summary), goals(ledger.about, summary), cases(summary),
         practice(summary)].compact.join("\n")
      end

      private

      # One row for each case of each session: which answers a person gets, and how soon.
      def expectations
        rows = @ledgers.flat_map do |ledger|
          Summary.new(ledger).rows.map { |row| expectation(ledger.about, row) }
        end
        return unless rows.any?

        head = ["application", "B against A", *ANSWERS, "seconds: half, 9 of 10"]
        "## What to expect, by live comparisons\n\n#{table(head, rows)}"
      end

      # Of real applications: what a command says, and how soon.
      def applications
        rows = VerdictTimes.rows
        return if rows.empty?

        commands = VerdictTimes.commands.map { |command| "- #{command}" }
        [APPLICATIONS, table(VerdictTimes::HEAD, rows), *commands, ""].join("\n")
      end

      def expectation(about, row)
        ["#{about[:app]}, Ruby #{about[:ruby]}", what(row.name), row.runs, *answers(row),
         times(row)]
      end

      def times(row) = [row.median_s, row.p90_s].map { |value| time(row, value) }.join(", ")

      def what(name)
        return "the same" if name == "aa"

        name.match?(Settings::PERCENT) ? "#{name} % slower" : title(name)
      end

      def answers(row)
        right, open, wrong = row.answers.values_at(:right, :undecided, :wrong)
        [right, open, "#{wrong} (at most #{share(ClopperPearson.at_most(wrong, row.runs))})"]
      end

      def replayed
        rows = Replay.new(@earlier).rows.map do |row|
          known = [times(row), held(row.covered, row.of)] if row.name != "aa" && row.of.positive?
          [what(row.name), row.runs, *answers(row), *(known || ["", ""])]
        end
        return unless rows.any?

        head = ["B against A", *ANSWERS, "seconds of cohorts: half, 9 of 10", "truth contained"]
        "#{REPLAYED}\n#{table(head, rows)}"
      end

      def facts(about, summary)
        foreign = summary.foreign
        noise = foreign ? ", other processes took #{(100 * foreign).round} % of the CPU" : ""
        <<~TEXT
          ## #{about[:app]}, Ruby #{about[:ruby]}

          #{about[:date]}, mohs #{[about[:version], *about[:commit]].join(', commit ')}, #{about[:host]}#{noise}: `#{about[:command]}`
          #{about[:note]}
        TEXT
      end

      def goals(about, summary)
        lines = [false_verdicts(summary), *seconds(about, summary), plan_ratio(about, summary),
                 coverage(summary), efficiency(summary)].compact
        return if lines.empty?

        table(%w[figure goal measured reached], lines.map { |line| [*line[0..2], mark(line[3])] })
      end

      def mark(reached) = { true => "yes", false => "**no**", nil => "not shown" }.fetch(reached)

      def false_verdicts(summary)
        wrong, all = summary.false_verdicts
        return if all.zero?

        most = share(ClopperPearson.at_most(wrong, all))
        ["false verdicts of A/A", "<= 5 in 100", "#{wrong} of #{all} (at most #{most})",
         reached(all - wrong, all, 1 - FALSE_SHARE)]
      end

      # Whether the true share is at least the goal; nil if there are too few to tell.
      def reached(held, all, goal)
        return true if ClopperPearson.at_least(held, all) >= goal

        false if ClopperPearson.at_most(held, all) < goal
      end

      # "23 of 24 (at least 82 %)", with `what` after the count.
      def held(count, all, what = "")
        "#{count} of #{all}#{what} (at least #{share(ClopperPearson.at_least(count, all))})"
      end

      def share(part) = "#{number(100 * part)} %"

      # These goals apply to the small application only.
      def seconds(about, summary)
        return [] unless about[:app] == "primes"

        SECONDS.filter_map do |name, goal|
          row = summary.find(name) or next
          quick = summary.decided_within(name, goal)
          ["#{title(name)}: time in which 9 of 10 have a verdict", "<= #{goal} s",
           "#{time(row, row.p90_s)} s; #{held(quick, row.runs, ' in time')}",
           reached(quick, row.runs, IN_TIME)]
        end
      end

      def time(row, seconds) = seconds.finite? ? number(seconds) : "> #{row.open_s.floor}"

      def plan_ratio(about, summary)
        ratio = summary.plan_ratio if about[:app] == "primes"
        return unless ratio

        ["30 long runs a side / median time to +2 %", ">= #{PLAN_RATIO}", number(ratio),
         ratio >= PLAN_RATIO]
      end

      def coverage(summary)
        count, all = summary.coverage
        return if all.zero?

        ["intervals that contain the true effect", ">= 95 in 100", held(count, all),
         reached(count, all, COVERED)]
      end

      def efficiency(summary)
        found = summary.efficiency or return
        kind = summary.practice_spread(:throughput) > RESTLESS ? :restless : :quiet
        goal = EFFICIENCY.fetch(kind)
        ["variance x seconds, long runs / mohs", ">= #{goal} (#{kind} host)",
         "#{number(found[:throughput])} (requests/s), #{number(found[:cpu])} (CPU)",
         found[:throughput] >= goal]
      end

      def cases(summary)
        head = ["case", "runs", "verdicts", "seconds: median, 90 %, max", "cohorts",
                "found: requests/s, CPU", "true: requests/s, CPU", "contained",
                "spread of a cohort: requests/s, CPU, p50"]
        table(head, summary.rows.map { |row| cells(summary, row) })
      end

      def cells(summary, row)
        [title(row.name), row.runs, row.outcomes.map { |name, n| "#{n} #{name}" }.join(", "),
         [row.median_s, row.p90_s, row.max_s].map { |value| time(row, value) }.join(", "),
         number(row.cohorts), signed(row.estimate), truth(summary, row),
         row.of.zero? ? "" : "#{row.covered} of #{row.of}",
         row.spread.values.map { |value| value ? number(value) : "-" }.join(", ")]
      end

      def title(name)
        return "A/A" if name == "aa"

        name.match?(Settings::PERCENT) ? "+#{name} %" : "--#{name}"
      end

      def truth(summary, row)
        return "" if row.truth[:throughput].nil?

        error = summary.truth_error(row)
        signed(row.truth) + (error ? " (± #{number(error)})" : "")
      end

      def signed(percents)
        percents.values_at(:throughput, :cpu).map { |one| one ? format("%+.2f", one) : "-" }
                .join(", ")
      end

      def practice(summary)
        return if summary.practice.empty?

        <<~TEXT
          Long runs, one after the other (#{summary.practice.sum(&:size)} of #{Practice::REQUESTS} requests in #{summary.practice.size} batches, each on a fresh
          server): #{number(summary.practice_s)} s each, spread #{number(summary.practice_spread(:throughput))} % in requests/s and #{number(summary.practice_spread(:cpu))} % in CPU per
          request. To find 2 % with them in four tries of five takes #{number(summary.practice_needs(2))} s.
        TEXT
      end

      def table(head, rows)
        [head, head.map { "---" }, *rows].map { |cells| "| #{cells.join(' | ')} |\n" }.join
      end

      # Two or three digits.
      def number(value) = value.abs < 9.95 ? format("%.2g", value) : value.round.to_s
    end
  end
end
