# frozen_string_literal: true

require "test_helper"

class TerminalTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  def screen(document = fixture_document, **style) = super

  [60, 80, 100, 120, 200].each do |width|
    test "the screen of a run at #{width} columns" do
      text = screen(width:)

      assert_golden("run-#{width}", text)
      assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, width
    end
  end

  test "colour repeats what the words say, and nothing else" do
    coloured = screen(colour: true)

    assert_includes coloured, "\e[32m37 % faster [36, 39]\e[0m"
    assert_equal screen, coloured.gsub(/\e\[\d+m/, "")
  end

  test "an interrupted run says how to go on" do
    text = screen(fixture_document(state: "interrupted", rounds: { planned: 5, done: 3 }))

    assert_includes text, "stopped   after 3 of 5 rounds · continue: mohs resume 7c1a\n"
    row = fixture_document[:rows].first
    rows = [row.merge(verdict: { **row[:verdict], interval: [1.3, 1.4] })]
    text = screen(fixture_document(state: "interrupted", rounds: { planned: 5, done: 3 }, rows:))
    assert_said(paragraph(text, "stopped"))
  end

  test "where nothing was measured, the server's last lines are shown" do
    rows = fixture_document[:rows].last(2)
    text = screen(fixture_document(rows:, groups: [], sentence: "Nothing was measured."))

    assert_golden("nothing-measured", text)
  end

  test "the log is shown from its last exception on" do
    log = "#{"before\n" * 20}ActiveRecord::NoDatabaseError (nowhere\n#{"after\n" * 20}"
    row = fixture_document[:rows].last.merge(log_tail: log)
    shown = screen(fixture_document(rows: [row], groups: [], sentence: "Nothing."))
            .lines(chomp: true).drop_while { |line| !line.start_with?("From the log") }

    assert_equal ["    ActiveRecord::NoDatabaseError (nowhere", *(["    after"] * 11)],
                 shown.drop(1)
  end

  test "what a server writes whenever it boots is not shown of its log" do
    boot = "Puma starting in single mode...\n*  Max threads: 5\nUse Ctrl-C to stop\n"
    shown = lambda do |*logs|
      rows = fixture_document[:rows].last(2).zip(logs).map { |row, log_tail| row.merge(log_tail:) }
      screen(fixture_document(rows:, groups: [], sentence: "Nothing."))[/^From .*/m]
    end

    assert_nil shown.call(boot, boot)
    variant = fixture_document[:rows].last[:variant]
    assert_operator shown.call(boot, "#{boot}no luck\n"), :end_with?, "#{variant}:\n    no luck\n"
  end

  test "the log of a server whose response says why is not shown" do
    rows = fixture_document[:rows].last(2).map { |row| row.merge(log_tail: "Redirected to /login") }
    one, other = rows.map { |row| row[:variant] }
    shown = lambda do |*variants|
      reasons = [{ variants:, reason: "A redirect.", code: "redirected", covered: false }]
      screen(fixture_document(rows:, reasons:, groups: [], sentence: "Nothing was measured."))
    end

    refute_includes shown.call(one, other), "From the log of"
    assert_includes shown.call(one), "From the log of #{other}:"
    assert_includes shown.call(other), "From the log of #{one}:"
  end

  test "of a reason that the sentence has told, only what to do next is told again" do
    summary, remedy = "GET / answered 302. A redirect says nothing.", "try   --get /login"
    reason = "#{summary}\n#{remedy}"
    row = fixture_document[:rows].last.merge(reason:, summary:, remedy:, log_tail: nil)
    result = "It could not be measured: #{summary}"
    text = screen(fixture_document(rows: [row], groups: [], sentence: result,
                                   sentence_covers: [row[:variant]]))

    assert_includes text, "next      try --get /login\n"
    assert_equal 1, text.gsub(/\s+/, " ").scan("answered 302").size
  end

  test "one variant has no verdict to show" do
    row = fixture_document[:rows][4]
    text = screen(fixture_document(rows: [row], groups: []))

    refute_includes text, "against"
    refute_includes text, "mark"
  end

  test "what one boot can't tell is a figure without an interval" do
    row = fixture_document[:rows][0]
    row = row.merge(throughput_per_s: { value: 1652.3, low: nil, high: nil },
                    latency_ms: { p50: 0.5, p99: nil, max: 3.0 })
    text = screen(fixture_document(rows: [row], groups: []))

    assert_match(/ 1 652 +0\.50 +– +3\.00 /, text)
  end

  test "a latency of too few requests is named below the table" do
    rows = fixture_document[:rows].first(3).each_with_index.map do |row, index|
      next row if index == 1

      few = { p99: { had: 140 + index, needed: 381 }, p999: { had: 140, needed: 100_000 } }
      row.merge(latency_ms: { p50: 0.5, p90: 0.62 + index, p99: nil, max: 3.0,
                              missing: few.transform_values { "not enough requests" },
                              missing_codes: few.transform_values { "few" },
                              missing_values: few })
    end

    text = screen(fixture_document(rows:))
    assert_said(paragraph(text, "missing"), paragraph(text, "p90 "))
    without = rows.map { |row| row.merge(latency_ms: row[:latency_ms].merge(p90: nil)) }
    refute_includes screen(fixture_document(rows: without)), "\np90"
    higher = rows.map { |row| row.merge(latency_ms: row[:latency_ms].merge(p95: 0.8)) }
    assert_includes screen(fixture_document(rows: higher)), "\np95       0.80 ms (3.4.5 --yjit), "
  end

  test "if no row has enough requests for a p99, the table has the highest that all have" do
    tail = lambda do |*lists|
      rows = fixture_document[:rows].zip(lists.cycle).map do |row, times|
        row.merge(latency_ms: { p50: 0.5, p99: nil, max: 3.0, **times,
                                missing: { p99: "not enough requests" },
                                missing_codes: { p99: "few" }, missing_values: {} })
      end
      text = screen(fixture_document(rows:))
      refute_match(/^p9/, text)
      text[/p50 ms +(p\d+)/, 1]
    end

    assert_equal "p95", tail.call({ p90: 0.62, p95: 0.7 })
    assert_equal "p90", tail.call({ p90: 0.62, p95: 0.7 }, { p90: 0.62, p95: nil })
    assert_equal "p99", tail.call({ p90: nil })
  end

  test "letters that have no room are not explained, but named" do
    [100, 40].zip([true, false]) do |width, shown|
      text = screen(fixture_document, width:)

      assert_equal shown, text.match?(/ a  +.*faster/), text
      assert_equal shown, text.include?("rows that share a letter")
      assert_equal !shown, text.gsub(/\n +/, " ").match?(/no room for .*, marks, /)
    end
  end

  test "a ± too wide to be worth reading is left out, and one line says so" do
    rows = fixture_document[:rows].each_with_index.map do |row, index|
      index.zero? ? row.merge(throughput_per_s: { value: 20.8, low: 1.0, high: 45.0 }) : row
    end

    assert_match(/^3\.4\.5 --yjit +342 +20\.8 +a /, screen(fixture_document(rows:)))
    assert_said(paragraph(screen(fixture_document(rows:)), "rates"))
    refute_includes screen(fixture_document), "\nrates "
    refute_includes screen(fixture_document(rows: rows.first(1))), "\nrates "
  end

  test "latencies are named together by the code of what they lack, not by its wording" do
    found = { "a" => %w[few one], "b" => %w[few two], "c" => %w[unanswered one] }
    rows = fixture_document[:rows].first(3).zip(found.values).map do |row, (code, text)|
      row.merge(latency_ms: { p50: 0.5, p99: nil, max: 3.0, missing: { p99: text },
                              missing_codes: { p99: code }, missing_values: {} })
    end
    names = rows.map { |row| row[:variant] }

    assert_includes screen(fixture_document(rows:), width: 200),
                    "missing   p99 of #{names[0]}, #{names[1]}: one\n" \
                    "missing   p99 of #{names[2]}: one\n"
  end

  test "what one latency takes is a line of its own" do
    few = { had: 140, needed: 381, needed_s: 8.2, connections: 4,
            comparison: { command: "mohs compare A B --metric p99", load_s: 8.2 } }
    rows = fixture_document[:rows].first(2).zip(%w[few cut]).map do |row, code|
      row.merge(latency_ms: { p50: 0.5, p99: nil, max: 3.0, missing: { p99: "why" },
                              missing_codes: { p99: code },
                              missing_values: code == "few" ? { p99: few } : {} })
    end

    text = screen(fixture_document(rows:))
    assert_said(paragraph(text, "missing"), paragraph(text, "missing   p99 of 3.3.8"))
  end

  test "latencies that the same rows lack for the same reason are named in one" do
    why = %i[p99 max].to_h { |name| [name, "waits are longer"] }
    rows = fixture_document[:rows].first(2).map do |row|
      row.merge(latency_ms: { p50: 0.5, p99: nil, max: nil, missing: why,
                              missing_codes: why.transform_values { "cut" }, missing_values: {} })
    end

    assert_includes screen(fixture_document(rows:), width: 200),
                    "missing   p99, max of #{rows[0][:variant]}, #{rows[1][:variant]}: " \
                    "waits are longer\n"
  end

  test "a latency that a failed request holds is shown as what it exceeds" do
    rows = fixture_document[:rows].first(2).map do |row|
      row.merge(latency_ms: { p50: 0.5, p99: nil, max: nil, more_than: { p99: 503.2, max: 4012.0 },
                              missing: { p99: "requests without a correct response" },
                              missing_codes: { p99: "unanswered" }, missing_values: {} })
    end
    text = screen(fixture_document(rows:))

    assert_match(/ 0\.50 +> 503 +> 4\.01 s /, text)
    assert_said(paragraph(text, "missing"))
  end

  test "what the budget cut is reported, variants and rounds, one reason once" do
    dear = { reason: "too dear", code: "dropped_variant", values: { budget_s: 9 } }
    dropped = [{ variant: "jruby", **dear }, { variant: "rjit", **dear },
               { variant: "2 of 3 rounds", reason: "one takes 50 s", code: "dropped_rounds" }]
    text = screen(fixture_document(dropped:))

    assert_includes text, "left out  jruby, rjit: too dear\n" \
                          "left out  2 of 3 rounds: one takes 50 s\n"
  end

  test "rounds that were cut have no line where nothing was measured" do
    rounds = %w[cut_rounds dropped_rounds].map do |code|
      { variant: "1 of 5 rounds", reason: "too slow", code:, values: {} }
    end
    dropped = [*rounds, { variant: "jruby", reason: "too dear", code: "cut_variant", values: {} }]
    failed = fixture_document[:rows].first(2).map do |row|
      row.merge(state: "refused", reason: "no", summary: "no")
    end

    assert_includes screen(fixture_document(dropped:)), "1 of 5 rounds: too slow"
    text = screen(fixture_document(dropped:, rows: failed))
    refute_includes text, "1 of 5 rounds"
    assert_includes text, "left out  jruby: too dear"
  end

  test "rounds that were cut have no line where the run ended before those that were left" do
    dropped = [{ variant: "1 of 10 rounds", reason: "too slow", code: "cut_rounds", values: {} }]
    shown = lambda do |state, done|
      rounds = { planned: 9, done:, closer: 20 }
      screen(fixture_document(state:, rounds:, dropped:)).include?("1 of 10 rounds")
    end

    assert_equal [false, true, true],
                 [["finished", 6], ["finished", 9], ["interrupted", 6]].map { |one| shown.(*one) }
  end

  test "a row that was not reached says so" do
    row = fixture_document[:rows][5].merge(state: "waiting", reason: nil, summary: nil,
                                           trials: { started: 0, measured: 0 })

    text = screen(fixture_document(rows: [fixture_document[:rows][0], row]))
    assert_said(paragraph(text, "jruby-10.0.2.0"))
  end

  test "a row whose only round was interrupted says that, not that it was not reached" do
    row = fixture_document[:rows][5].merge(state: "waiting", reason: nil, summary: nil)
    shown = lambda do |state, started, done|
      one = row.merge(trials: { started:, measured: 0 })
      rounds = { planned: 5, done:, closer: 20 }
      screen(fixture_document(state:, rounds:, rows: [fixture_document[:rows][0], one]))[
        /^jruby-10\.0\.2\.0 +–  (.+)$/, 1]
    end

    assert_said(shown.call("interrupted", 1, 0))
    assert_said(*[["interrupted", 0, 0], ["running", 1, 0], ["interrupted", 1, 2]]
                   .map { |facts| shown.call(*facts) })
    assert_said(*[1, 0].map { |started| shown.call("finished", started, 1) })
  end

  test "the name of a variant is quoted where a shell would take it apart" do
    row = fixture_document[:rows][6].merge(variant: "2.7.4 --jit")

    assert_includes screen(fixture_document(rows: [row])), 'mohs show 7c1a --log "2.7.4 --jit"'
  end

  test "a name longer than a third of the screen is cut in its middle" do
    row = fixture_document[:rows][0].merge(variant: "x#{'-' * 90}y")
    line = screen(fixture_document(rows: [row]), width: 80).lines.grep(/\Ax/).first

    assert_match(/\Ax-{12}…-{11}y  /, line)
    assert_operator line.chomp.length, :<=, 80
  end
end
