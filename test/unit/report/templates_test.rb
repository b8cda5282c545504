# frozen_string_literal: true

require "test_helper"

class TemplatesTest < Mohs::TestCase

  include Mohs::Screens


  # The golden file of its sentences (Screens#assert_said).

  SAID = "said-templates"

  TEXTS = Mohs::Report::Templates::TEXTS
  ROOMS = %w[analysis procedures].freeze

  # Codes without a member's name, as the analysis and the procedures write them.
  def codes(room)
    ruby_files(room).flat_map do |file|
      File.read(file).scan(/(?:code: |note\(|finding\()"([a-z_]+)"/)
    end.flatten.uniq
  end

  test "a budget for two settings is named if it is another one" do
    short = { searched_s: 18, needed_s: 90, settings: 4, budget_s: 1500, cure: "tighter" }
    texts = [nil, 1400, 600].map { |least_s| text("tune_short_searches", **short, least_s:) }

    assert_equal ["Searches need 1 min 30 s: --budget 25m, or a shorter time in --limit"] * 2,
                 (texts.first(2).map { |text| text[/Searches need.*/] })
    assert_said(text("tune_short_searches", **short, names: %w[2x1 2x2]))
    assert_said(texts.last)
  end

  test "of little time, fewer settings are told as such, and where rates come from with too few" do
    values = { settings: 5, boots: 3, limit: "p90 < 200 ms", needed_s: 75, budget_s: 1560,
               least_s: nil, cure: nil }
    fewer, short = [3, 1].map { |searchable| text("tune_little_time", **values, searchable:) }

    assert_said(fewer)
    assert_said(short)
    hours = { **values, budget_s: nil }
    refute_includes text("tune_little_time", **hours, searchable: 3), "For all"
    assert text("tune_little_time", **hours, searchable: 1).end_with?("by the model of a queue")
    assert text("tune_little_time", **hours, searchable: 1, cure: "rare").end_with?(
      "To count them: a limit on p90",
    )
    refute_includes short, "fewer"
  end

  test "variants that all fail alike are worded without their number" do
    assert_said(text("shared_failure", variants: 4, state: "refused", rounds: 5))
  end

  test "variants that log alike are worded together" do
    assert_said(text("chatter_alike", variants: 4, bytes_per_request: 918))
  end

  test "a budget that ends before the first look is worded with what is left of it" do
    values = { spent_s: 48.2, budget_s: 90, missing: 2, missing_s: 96.4, needed_s: 173.5 }

    assert_said(text("before_first_look", **values))
    assert_includes text("before_first_look", **values, missing: 1), "needs 1 more cohort, about"
  end

  test "every code of the analysis and of the procedures has a template" do
    ROOMS.each do |room|
      assert_operator codes(room).size, :>=, 20, room
      assert_empty codes(room) - TEXTS.keys, room
    end
  end

  # Whose comparisons and rounds they are, in words of these.
  BUILT_ON = { "bisect" => "compare", "gate" => "compare", "track" => "compare",
               "repro" => "rounds" }.freeze

  # The procedure that a file is of; nil: none.
  def folder(file) = file[%r{/procedures/(\w+)[./]}, 1]

  # The codes of templates in a procedure's folder, to the folder.
  def owners
    @owners ||= Dir[File.join(Mohs.root, "lib/mohs/procedures/*/templates.rb")].flat_map do |file|
      name = Mohs::LOADER.inflector.camelize(folder(file), file)
      Mohs.const_get(name)::Templates.keys.map { |code| [code, folder(file)] }
    end.to_h
  end

  test "no procedure speaks in another one's words, and no room below in any of them" do
    found = [*ROOMS, "report"].flat_map { |room| ruby_files(room) }.flat_map do |file|
      said = File.read(file).scan(/(?:(?:say|text|note|finding)\(|code: )"([a-z_]+)"/).flatten
      (said & owners.keys).reject { |code|
        [folder(file), BUILT_ON[folder(file)]].include?(owners[code])
      }.map { |code| "#{file}: #{code} of #{owners[code]}" }
    end

    assert_operator owners.size, :>, 100
    assert_empty found
  end

  test "a code has one template" do
    error = assert_raises(KeyError) do
      Mohs::Report::Templates.together([{ "a" => "1" }, { "b" => "2" }, { "a" => "3" }])
    end
    assert_said(error.message)
  end

  test "every format that a template asks for is one of Numbers'" do
    fields = TEXTS.values.grep(String).flat_map { |text| text.scan(Mohs::Report::Render::FIELD) }
    assert_empty fields.filter_map(&:last) - Mohs::Report::Numbers::FORMATS.keys
  end

  def text(...) = Mohs::Report::Render.text(...)

  test "percentages are written as everywhere, whatever their size" do
    growth = [1.5, 0.004].map { |share| text("growth", growth: share, requests: 1000) }
    assert_equal ["(+150 % per 1 000)", "(+0.4 % per 1 000)"], growth.map { |one| one[/\(.*\)/] }
    assert_said(text("dilution", share: 0.004))
    assert_match(/serves 12 % more/, text("halves", share: 0.123))
  end

  test "what a bias prevents names it" do
    assert_said(text("biased", bias: 0.0618))
  end

  test "a forecast proposes the time, the wider margin, or both" do
    both = { margin: 0.01, needed_s: 250.0, wider: 0.05 }
    assert_said(text("forecast", **both))
    assert_said(text("forecast", margin: 0.02, needed_s: 42.0, wider: nil))
    assert_said(text("forecast", margin: 0.01, needed_s: nil, wider: nil))
    assert_said(text("forecast", margin: 0.01, needed_s: nil, wider: 0.1, bias: 0.061))
  end

  test "notes on the set-up of servers" do
    left_out = { requests: 1, of: 3, share: 1.fdiv(3), first: "GET /b", fact: "answered 404" }

    assert_said(text("chatter", variant: "a", bytes_per_request: 310))
    assert_said(text("left_out", **left_out))
    assert_said(text("already_running", url: "http://127.0.0.1:3000"))
  end

  test "a pool is raised where ActiveRecord and Sequel each read it" do
    assert_said(text("pool_below_threads", pool: 4, threads: [5, 5], names: "2x5"),
      text("tune_present_pool", present: "yours", pool: 4, threads: 5))
  end

  test "notes on the application" do
    out = { typed: "@main", commit: "0123456789ab", copied: [], of: 0 }
    at = "@main is 0123456789ab, checked out separately from your folder"
    pool = { size: 3, source: "config/database.yml", threads: 16 }

    assert_equal at, text("checked_out", **out)
    assert_said(text("checked_out", **out, copied: %w[.env config/a.key], of: 2))
    assert_operator text("checked_out", **out, copied: %w[a b], of: 9), :end_with?,
                    "a, b, ... (9 in all)"
    assert_match(/pool \(3 .*16 threads.* Set pool: .*with 3 threads \(puma:1x3\)\z/,
                 text("pool_too_small", **pool))
    assert_match(/Raise it there, .*with 1 thread \(/,
                 text("pool_too_small", **pool, size: 1, source: "DATABASE_URL"))
    assert_said(text("rackup_options", options: "-p 1"),
      text("too_large_to_copy", typed: "@main", path: "db/a"),
      text("changes_left", typed: "@main", files: 2))
  end

  test "a side that was not measured is told with its letter, name and reason" do
    reason = Mohs::Reason.parse("exit 3")
    values = { side: "B", variant: "b", reason:, spoiled: nil }

    assert_equal ['B, "b", failed: exit 3', 'B, "b", can\'t be served: exit 3', 'B, "b": exit 3'],
                 %w[side_failed side_refused side_invalid].map { |code| text(code, **values) }
    assert_equal 'B, "b", failed: exit 3 (in 3 cohorts)', text("side_failed", **values, cohorts: 3)
    assert_said(text("side_not_measured", cohorts: 3))
  end

  test "what to try against a finding's reason is apart from its text" do
    reason = Mohs::Reason.parse("exit 3\ntry   --get /a\nor   --get /b")
    values = { side: "B", variant: "b", reason:, spoiled: nil }
    finding = Mohs::Analysis::Finding.note("side_failed", **values)

    assert_equal 'B, "b", failed: exit 3', Mohs::Report::Render.call(finding)
    assert_equal reason.remedy, Mohs::Report::Render.cure(finding)
    coded = Mohs::Reason.new(code: "error_status",
                             values: { status: 404, phrase: "Not Found", seen: {} })
    assert_match(/--get/, cure(reason: coded))
    assert_equal [nil] * 3, [cure(reason: nil), cure, Mohs::Report::Render.cure(nil)]
  end

  def cure(**values)
    Mohs::Report::Render.cure(Mohs::Analysis::Finding.note("side_failed", **values))
  end

  test "a side fails for the same reason as a row does, whatever is known of it" do
    check = Mohs::Analysis::Finding.new(code: "growth", severity: :bad,
                                        values: { growth: 0.5, requests: 1000 })
    known = { side: "A", variant: "x", reason: nil }
    causes = [check, nil].to_h do |spoiled|
      failure = Mohs::Analysis::Row::Failure.new(reason: nil, spoiled:)
      [spoiled&.to_h&.slice(:code, :values), Mohs::Report::Render.failure(failure).summary]
    end

    assert_equal(causes.values.map { |cause| "A, \"x\": #{cause}" },
                 causes.keys.map { |spoiled| text("side_started", **known, spoiled:) })
  end

  test "a run's lead is its own, a comparison's is B's" do
    assert_said(text("not_steady", of: nil, over: "a", ratio: 0.95).sub("5.0", "5"))
    assert_said(text("not_steady", of: "B", over: "A", ratio: 1.1))
  end

  test "the steadier metric says its own verdict" do
    values = { outcome: "faster", effect: 1.1, low: 1.09, high: 1.11 }
    assert_said(text("quieter_metric", **values))
  end

  test "what a service costs beside many variants is said once of all" do
    said = lambda do |count|
      costs = Array.new(count) do |index|
        { variant: "v#{index}", cpu_us_per_request: 0.25 - (0.05 * index),
          memory_bytes: (50 - index).fdiv(1) * 1_000_000 }
      end
      text("services", service: "postgresql", version: "15.18", address: "unix", each: "request",
                       costs:)
    end

    assert_includes said.call(4), "above: v0: 0.25 CPU µs a request, 50 MB; v1: "
    assert_includes said.call(5),
                    "above: 0.05 to 0.25 CPU µs a request, 46 to 50 MB (5 variants)"
  end
end
