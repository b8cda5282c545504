# frozen_string_literal: true

require "test_helper"

# Whole pages, of made-up documents, as a strict parser of XML reads them.
class PageTest < Mohs::TestCase
  include Mohs::PageDocuments
  include Mohs::RecordedDocuments
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report-html"

  HTML = Mohs::Report::Html
  FEW = Mohs::PageDocuments::VARIANTS.slice("3.1.2", "3.3.8", "3.4.5 --yjit").freeze
  FOLDER = File.expand_path("../../../fixtures/pages", __dir__)
  LARGEST = 300_000
  PLACES = %w[x y x1 x2 y1 y2 dx d width height viewBox].freeze
  PLACE = /\A[MmLlHhVvaz\d. -]+%?\z/

  MADE = {
    "run" => ->(test) { test.page_run(FEW, requests: 300) },
    "cold" => ->(test) { test.page_run(FEW, requests: 300, cold: true) },
    "compare" => ->(test) { test.page_compare(requests: 300) },
    "equal" => ->(test) { test.page_compare(0.0, requests: 300) },
    "tune" => lambda(&:page_tune), "repro" => lambda(&:page_repro),
    "load" => ->(test) { test.page_load(500) },
    "rate" => lambda(&:page_rate), "gate" => lambda(&:page_gate),
    "history" => lambda(&:page_history),
  }.freeze

  def document(name) = (@@documents ||= {})[name] ||= MADE.fetch(name).call(self)

  def html(document) = HTML.new(document).to_s

  # Read once: a strict parser takes its time.
  def page(document)
    text = html(document)
    (@@pages ||= {})[text] ||= Mohs::Page.new(text)
  end

  def sections(page) = page.all("section").map { |one| one.attributes["id"] }

  MADE.each_key do |name|
    test "#{name}: well-formed, its answer first, and nothing from elsewhere" do
      page = page(document(name))
      order = page.all.map { |one| one.attributes["id"] || one.name }

      assert_equal "html", page.root.name
      assert_equal %w[header main footer], page.all("header", "main", "footer").map(&:name)
      assert_operator order.index("answer"), :<, order.index("section") || order.index("main")
      sentence = document(name)[:sentence]
      assert_equal sentence, page.text(page.id("answer")) if sentence
      assert_empty page.all("link", "img", "iframe", "object", "embed", "base", "form", "use",
                            "image")
      links = page.attributes.select { |_, attribute, _| %w[href src].include?(attribute) }
      assert(links.all? { |_, _, value| value.start_with?("#") || value == "https://example.org" })
    end

    test "#{name}: the same document is the same page, and is left as it is" do
      before = Marshal.dump(document(name))

      assert_equal html(document(name)), html(document(name))
      assert_equal before, Marshal.dump(document(name))
      read = JSON.parse(JSON.generate(document(name)), symbolize_names: true)
      assert_equal html(document(name)), html(read)
    end

    test "#{name}: ids are there once, and every reference has one" do
      page = page(document(name))
      ids = page.attributes.filter_map { |_, attribute, value| value if attribute == "id" }
      wanted = page.attributes.flat_map do |_, attribute, value|
        next value.delete_prefix("#") if attribute == "href" && value.start_with?("#")

        value.split if attribute == "aria-labelledby"
      end

      assert_equal ids.uniq, ids
      assert_empty wanted.compact - ids
    end

    test "#{name}: pictures say what they are, tables have captions and scopes" do
      page = page(document(name))
      plots = page.all("svg").select { |one| one.attributes["class"] == "plot" }

      assert_predicate plots, :any?
      assert(plots.all? { |one| one.elements.first(2).map(&:name) == %w[title desc] })
      words = plots.flat_map { |one| one.elements.first(2).map { |text| page.text(text).strip } }
      refute_includes words, ""
      assert(page.all("table").all? { |one| one.elements.first.name == "caption" })
      assert(page.all("th").all? { |one| %w[row col].include?(one.attributes["scope"]) })
      assert_equal "en", page.root.attributes["lang"]
    end

    test "#{name}: no coordinate is without a number" do
      all = page(document(name)).attributes
      places = all.select { |_, attribute, _| PLACES.include?(attribute) }
      bad = places.map(&:last).reject { |value| value.match?(PLACE) }

      assert_empty bad
    end
  end

  test "the policy allows the page's own style and script, and nothing else" do
    text = html(document("rate"))
    meta = Mohs::Page.new(text).all("meta").find { |one| one.attributes["http-equiv"] }
    hashes = %w[style script].map do |name|
      "'sha256-#{[Digest::SHA256.digest(text[%r{<#{name}>(.*)</#{name}>}m, 1])].pack('m0')}'"
    end

    assert_equal "default-src 'none'; style-src #{hashes[0]}; script-src #{hashes[1]}; " \
                 "base-uri 'none'; form-action 'none'", meta.attributes["content"]
    assert_operator text.index("Content-Security-Policy"), :<, text.index("<style>")
  end

  test "style and script read the same as HTML and as XML" do
    [HTML::STYLE, HTML::SCRIPT].each { |asset| refute_match(/[<&]|\]\]>|url\(|@import|https?:/, asset) }
  end

  test "a run of twelve variants is small" do
    large = html(page_run(requests: 1500, rounds: 5))

    assert_operator large.bytesize, :<, LARGEST
    assert_equal 12, large.scan(/<svg [^>]*class="heat"/).size
  end

  test "each document has the sections of what it holds" do
    parts = MADE.keys.to_h { |name| [name, sections(page(document(name)))] }

    curves = %w[figures percentiles time boots memory]
    last = %w[attested checks provenance]
    assert_equal ["effects", *curves, "unmeasured", *last], parts["run"]
    assert_includes parts["cold"], "warm-up"
    assert_equal ["metrics", *curves, *last], parts["compare"]
    assert_equal %w[settings figures memory attested checks provenance], parts["tune"]
    assert_equal ["claims", "effects", "figures", "percentiles", "memory", *last], parts["repro"]
    assert_equal %w[load percentiles time checks provenance], parts["load"]
    assert_equal %w[rates provenance], parts["rate"]
    assert_equal %w[gates checks provenance], parts["gate"]
    assert_equal %w[history checks], parts["history"]
  end

  test "the page of a gate is about the gate that its sentence names" do
    document = page_gate({ "/a" => ["cpu < +50%"], "/b" => ["cpu < +2%"] },
                         { "/a" => -0.47, "/b" => -0.18 })
    which = page(document).all("dd").first

    assert_match(/\AGET \/a /, document[:sentence])
    assert_match(/\AGET \/a:/, page(document).text(which))
  end

  test "without curves the page has what the document tells" do
    %w[run compare load].each do |name|
      whole = document(name)
      bare = sections(page(whole.except(:curves)))

      assert_includes bare, "percentiles"
      refute_includes bare, "time"
      assert_includes sections(page(whole)), "time"
    end
  end

  test "a tuning has no curves: its settings had different loads" do
    made = SampleTuning.new({ "yours" => 1000.0, "2x3" => 1300.0 },
                            shapes: { "yours" => [1, 5] }).analysis

    store = Mohs::Stored::Reader.new({}, runs: [])

    assert_equal({ mohs: 1 }, HTML.with_curves({ mohs: 1 }, made, store))
  end

  test "by how much, how sure and at what cost stand before everything else" do
    facts = ->(name) { page(document(name)).all("dl").first.elements.map { |one| page_text(one) } }
    run = facts.call("run")

    assert_equal ["which", "by how much", "how sure", "at what cost"], run.map(&:first)
    assert_equal "3.4.5 --yjit", run[0].last
    assert_match(/\A3\d % faster \[3\d(\.\d)?, 3\d(\.\d)?\]\z/, run[1].last)
    assert_said(run[2].last)
    assert_match(/\Amemory 28.0 MB for bothCPU a request 7\d\d → 5\d\d µs/, run[3].last)
    assert_said(facts.call("compare")[2].last)
    assert_match(/\A\d+ requests\/s \[\d+, [\d ]+\]\+\d\d % \[.*\] against yours\z/,
                 facts.call("tune")[1].last)
    assert_match(/\A95 % interval; limit p99 < /, facts.call("tune")[2].last)
    assert_equal [%w[agrees 2], ["agrees in part", "1"], ["not testable here", "1"]],
                 facts.call("repro")
    assert_equal "902 requests/s [863, 941]", facts.call("rate")[1].last
  end

  test "rates of a tuning's single boots are undecided" do
    assert_match(/\Aundecided after only 1 boot; limit p99 < /,
                 facts_of_tuning(few_boots: 1, sure: false)[2])
  end

  def facts_of_tuning(setting: {}, **recommendation)
    made = document("tune")
    picked = { **made[:recommendation], **recommendation }
    settings = made[:settings].map do |one|
      one[:name] == picked[:name] ? { **one, **setting } : one
    end
    page = page({ **made, recommendation: picked, settings: })
    page.all("dd").first(3).map { |one| page.text(one) }
  end

  test "what is not final or undecided is no interval of a tuning" do
    certainty = ->(**changes) { facts_of_tuning(**changes)[2] }

    assert_said(certainty.(boots_so_far: [3, 5]))
    assert_match(/\Aundecided; limit/, certainty.(sure: false))
    assert_match(/\A95 % interval; limit/, certainty.())
    wanted = document("tune").merge(wanted_per_s: 2000)
    recommendation = { **wanted[:recommendation], sure: false }
    { false => "95 % interval", nil => "undecided" }.each do |others, expected|
      settings = wanted[:settings].map do |one|
        { **one, enough: one[:name] == "2x3" ? false : others }
      end
      page = page({ **wanted, settings:, recommendation: })
      assert_match(/\A#{expected}; limit/, page.text(page.all("dd")[2]))
    end
  end

  test "what a bound serves, and gains, is at least its low end" do
    bound = { at_least: true, rate_per_s: { value: 940.0, low: 876.0, high: nil } }
    gain = ->(interval) { facts_of_tuning(setting: bound, gain: 1.2, interval:)[1] }

    assert_match(/requests.s \[\d+, \d+\].* \[[^∞]+\] against yours/, facts_of_tuning[1])
    assert_match(/\Aat least 940 requests.s \[876, ∞\)\s*at least \+10 % against yours/,
                 gain.([1.1, nil]))
    [[0.99, nil], nil].each { |interval| refute_match(/against yours/, gain.(interval)) }
  end

  test "where the baseline is the fastest, it is what the facts are about" do
    page = page(page_run({ "3.4.5" => 1500, "2.7.8" => 1000 }, requests: 60))
    facts = page.all("dd").first(2).map { |one| page.text(one) }

    assert_equal "3.4.5, the baseline", facts[0]
    assert_match(/\A2.7.8, the next: 3\d\.\d % slower/, facts[1])
  end

  test "rates of jobs are of jobs" do
    jobs = { count: 10, worker: nil, api: nil, limit_s: 60 }
    page = page({ **document("run"), jobs: })
    boots, figures = %w[boots figures].map { |id| page.text(page.id(id)) }

    assert_includes figures, "jobs/s"
    assert_match(/mean 1[2-9] \d{3} jobs\/s/, boots)
    refute_includes boots, "requests/s"
  end

  test "the command to repeat it can be pasted, whatever its words hold" do
    words = ["--variant", "3.4.5 --yjit", "--expect", "a'b $(id)"]
    typed = Mohs::Typed.invocation(*words, "--json", "--quiet").to_h
    whole = { **document("run"), again: Mohs::Report::Document.again(typed) }
    command = page(whole).then { |page| page.all("pre").map { |one| page.text(one) } }.last

    assert_equal "mohs run --variant \"3.4.5 --yjit\" --expect 'a'\\''b $(id)'", command
    assert_equal ["mohs", "run", *words], Shellwords.split(command)
  end

  test "a bisection has its comparisons, several studies a line each" do
    study = { name: "shop-2023", title: "Rubies", claims: 4, counts: document("repro")[:counts],
              seconds: 61.0, error: nil, left_out: nil, document: document("repro") }
    broken = { **study, name: "b", counts: nil, document: nil, error: "no such study" }
    all = Mohs::Report::Document.envelope("repro", studies: [study, broken], left_out: 0,
                                                   counts: study[:counts], planned_s: nil)
    steps, studies = [recorded("bisect"), all].map { |one| page(one) }

    assert_equal 1 + recorded("bisect")[:steps].size, steps.all("tr").size
    assert_equal recorded("bisect")[:sentence], steps.text(steps.id("answer"))
    assert_equal 3, studies.all("tr").size
    assert_match(/\A2 studies, 8 claims: /, studies.text(studies.id("answer")))
    assert_match(/no such study/, studies.text(studies.id("steps")))
  end

  test "the cause is that of the variant that the answer is about" do
    whole = document("run")
    about, other = whole[:rows].reject { |row| row[:baseline] }
    of_other = with_cause(whole, other)

    refute_includes page(of_other).text, "Why: it allocates less."
    assert_includes page(with_cause(whole, about)).text, "Why: it allocates less."
  end

  def with_cause(whole, row)
    rows = whole[:rows].map { |one| one == row ? { **one, why: "it allocates less" } : one }
    { **whole, rows: }
  end

  test "a tuning's cautions are read once, and a mistake of any command has a page" do
    warned = { **document("tune"), warnings: [{ code: "x", text: "searches are too short" }] }

    assert_equal 1, html(warned).scan("searches are too short").size
    %w[run compare tune load gate bisect explain history repro].each do |command|
      text = page({ mohs: "0.1.0", command:, error: { message: "no such file" } }).text
      assert_includes text, "no such file"
    end
  end

  test "recorded requests of real loads are on the page" do
    file = File.expand_path("../documents/loads/steps.raw", FOLDER)
    load = Mohs::Exporters::RecordingFile.read(file)
    whole = Mohs::Report::Document.envelope("load", Mohs::LoadRun::Document.document(load))
    page = page(Mohs::LoadRun::Curves.added(whole, load))

    times = page.all("tr").map { |one| page.text(one) }
    batches = Mohs::Exporters::RecordingFile.read(file.sub("steps", "batches"))
    course = Mohs::Report::Document.envelope("load", Mohs::LoadRun::Document.document(batches))
    course = Mohs::LoadRun::Curves.added(course, batches)

    assert_equal %w[rates load percentiles time checks provenance], sections(page)
    assert_includes sections(page(course)), "warm-up"
    assert_match(/firstlowestmedianhighestlastanswered/, page(course).text)
    assert(times.any? { |text| text.match?(/\A127.0.0.1:\d+18000\d/) })
    assert_match(/\A200 requests.s for 4.0 s: 800 sent/, page.text(page.id("answer")))
  end

  test "a latency that is a bound is drawn and read as one" do
    load = Mohs::Exporters::RecordingFile.read(File.join(FOLDER, "../documents/loads/steps.raw"))
    whole = Mohs::Report::Document.envelope("load", Mohs::LoadRun::Document.document(load))
    *steps, last = whole[:steps]
    bound = { **last[:response_ms], p99: nil, more_than: { p99: 503.0 } }
    page = page({ **whole, steps: [*steps, { **last, response_ms: bound }] })
    crosses = page.all("g").select { |one| one.attributes["class"] == "m cross t-bad" }

    assert_includes page.text(page.id("rates")), "answered/s: p99 > 503 ms"
    assert_equal 1, crosses.size
  end

  test "claims by a source's own data say how to judge them again" do
    typed = Mohs::Typed.invocation("shop-2023", "--from-raw", "some data", command: "repro").to_h
    raw = { **document("repro"), from_raw: "some data", run: nil, rows: [],
            again: Mohs::Report::Document.again(typed) }
    page = page(raw)

    command = page.text(page.all("pre").last)

    assert_equal "mohs repro shop-2023 --from-raw \"some data\"", command
    assert_equal %w[claims provenance], sections(page)
  end

  test "a run that was stopped says so, and one without figures has its reasons" do
    stopped = page({ **document("run"), state: "interrupted" })
    caution = stopped.all("ul").find { |one| one.attributes["class"] == "caution" }

    assert_match(/interrupted/, stopped.text(caution))
    run = page(document("run"))
    assert_said(run.text(run.id("unmeasured")))
  end

  test "without a verdict nothing is sure, better or worse" do
    grows = ->(slice, _, at, _) { slice[:cpu_ns] = (slice[:cpu_ns] * (1.01**at)).round }
    made = CompareResult.new([0.051, 0.052, 0.049, 0.05, 0.051], slice: grows).to_h
    whole = Mohs::Stored.document(made)
    found = page(whole)
    sure = found.all("dd").map { |one| found.text(one) }[2]
    metrics = found.text(found.id("metrics")).sub(/.*?undecided\./m, "")

    assert_equal %w[invalid better], [whole[:verdict][:outcome], whole[:metrics].first[:mark]]
    assert_match(/\A5 cohorts/, sure)
    refute_match(/[\d\]%] better|better\z/, metrics)
    assert_match(/no verdict/, metrics)
  end

  test "the interval of a setting's rate that is a bound goes on to the top of the picture" do
    made = document("tune")
    tops = [1.0, nil].map do |high|
      settings = made[:settings].map do |one|
        next one unless one[:name] == "2x3"

        { **one, rate_per_s: { value: 900.0, low: 899.0, high: high && 901.0 } }
      end
      lines = REXML::XPath.match(page({ **made, settings: }).id("settings"), ".//line")
      lines.select { |one| one.attributes["class"].to_s.start_with?("interval") }
           .map { |one| %w[y1 y2].map { |name| one.attributes[name].to_f }.minmax }
           .max_by { |top, bottom| bottom - top }
    end

    assert_operator tops.first.first, :>, tops.last.first
    assert_operator tops.last.first, :<, 40
  end

  test "a row without a verdict has no interval in the picture" do
    run = document("run")
    rows = run[:rows].map do |row|
      row[:baseline] ? row : { **row, verdict: row[:verdict].to_h.merge(outcome: "invalid") }
    end
    lines = [run, { **run, rows: }].map do |one|
      page(one).all("line").count { |line| line.attributes["class"].to_s.start_with?("interval") }
    end

    assert_equal [2, 0], lines
  end

  test "a mistake, an empty run and a document of another kind have a page" do
    mistake = Mohs::Report::Document.envelope("run",
                                              error: { kind: "UsageError", message: "no <b>" })
    empty = Mohs::Report::Document.envelope("run", rows: [], sentence: "Nothing was measured.")
    other = Mohs::Report::Document.envelope("list", runs: [])

    assert_equal "no <b>", page(mistake).then { |page| page.text(page.id("answer")) }
    assert_said(page(empty).then { |page| page.text(page.id("answer")) })
    assert_kind_of Mohs::Page, page(other)
  end

  # MOHS_UPDATE_PAGES=1 writes them anew, to be looked at before they are kept. Style and script
  # are left out.
  %w[run compare tune repro rate].each do |name|
    test "#{name}: the page is the one that was looked at" do
      path = File.join(FOLDER, "#{name}.html")
      ours = %r{<(style|script)>.*?</\1>| content="default-src[^"]*"}m
      text = html(document(name)).gsub(ours, "").gsub(/(?=<(section|tr|svg|li|dt)\b)/, "\n")
      File.write(path, text) if ENV["MOHS_UPDATE_PAGES"]

      assert_equal File.read(path, encoding: "UTF-8"), text
    end
  end

  private

  # [term, text] of a fact.
  def page_text(fact)
    reader = page(document("rate"))
    fact.elements.map { |one| reader.text(one) }
  end
end
