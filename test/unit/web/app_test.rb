# frozen_string_literal: true

require "test_helper"
require "rack/mock"

# Every page of the dashboard, and who may have it.
class WebAppTest < Mohs::TestCase
  include Mohs::WebHelper
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-web"

  test "without runs it says what to type" do
    assert_includes get("/").body, "type: mohs"
    assert_equal 200, get("/").status
    assert_includes get("/histories").body, "mohs track NAME"
  end

  test "runs are listed, the newest first, with what the person calls them" do
    first, second = Array.new(2) { sample }
    @store.label_run(first.id, "before the upgrade")
    page = get("/").page
    links = page.all("a").map { |one| one.attributes["href"] }.grep(%r{\A/runs/})

    assert_equal ["/runs/#{second.key}", "/runs/#{first.key}"], links
    assert_includes page.text, "before the upgrade (#{first.key})"
    assert_includes page.text, "3.1.2 · 3.4.5"
  end

  test "the list has the answer of each run that has one, and nobody follows a running one there" do
    ended, running, old = sample, sample(state: "running"), sample
    [ended, running].each { |run| @store.answer_run(run.id, "<b> is faster, #{run.key}") }
    page = get("/").page

    assert_includes page.text, "<b> is faster, #{ended.key}"
    refute_includes page.text, "<b> is faster, #{running.key}"
    assert_includes page.text, old.key
    assert_equal [1, 3], %w[answer variants].map { |name|
      page.all("p").count { |one| one.attributes["class"] == name }
    }
  end

  test "the list has pages, and filters that stay on the way to the next" do
    51.times { create_run(@store, app: "/srv/shop") }
    create_run(@store, app: "/srv/forum")
    shop = get("/?app=%2Fsrv%2Fshop&state=planned")

    assert_includes shop.body, "Page 1 of 2"
    assert_includes shop.body, 'href="/?app=%2Fsrv%2Fshop&amp;state=planned&amp;page=2"'
    assert_includes get("/?app=%2Fsrv%2Fforum").body, "1 run<"
    assert_includes get("/?state=failed").body, "No such run."
    assert_includes get("/?page=2").body, "Page 2 of 2"
  end

  test "a run whose mohs was killed is listed as interrupted, and found as such" do
    run_id, = claimed(@store, token: "#{Socket.gethostname}:1:0")
    alive = sample(state: "running")

    # A key alone could be part of a colour.
    ended, running = [@store.run(run_id), alive].map { |run| "/runs/#{run.key}" }

    assert_includes get("/?state=interrupted").body, ended
    assert_includes get("/?state=running").body, running
    refute_includes get("/?state=running").body, ended
    refute_includes get("/?state=interrupted").body, running
  end

  test "a run has its result's page, with ways to what else there is of it" do
    run = sample
    @store.label_run(run.id, "the first")
    answer = get("/runs/#{run.key}")
    sentence = Mohs::Report::Model.build(Mohs::Analysis::Run.new(@store.result(run.id)))[:sentence]

    assert_includes answer.page.text, sentence
    assert_includes answer.page.text, "the first"
    assert_includes answer.body, "/runs/#{run.key}/compare"
    assert_equal answer.body, get("/runs/#{run.key}").body
    assert_equal Mohs::Web::App::RESULT, answer.headers["content-security-policy"]
  end

  test "a run without anything measured has a page too" do
    made = { **SampleResult.new({ "3.1.2" => 1200 }).to_h, cohorts: [] }
    key = Mohs::StoredResult.write(@store, made, state: "interrupted").key

    %w[compare logs download rename delete].each do |part|
      assert_equal 200, get("/runs/#{key}/#{part}").status, part
    end
    assert_equal 200, get("/runs/#{key}").status
  end

  test "a run under way shows the rows so far, and where news of it come from" do
    run = sample(state: "running")
    page = get("/runs/#{run.key}").page
    table = page.id("live-table")

    assert_equal "/runs/#{run.key}/events", table.attributes["data-events"]
    assert_includes page.text(table), "3.4.5"
  end

  test "its events are the cells of the same table, and end with it" do
    run = sample(state: "running")
    streams = Mohs::Web::Streams.new
    looks = 0
    streams.define_singleton_method(:pause) { (looks += 1) }
    finish = -> { looks < 3 || @store.finish_run(run.id, "finished") }
    results = Mohs::Web::Results.new(@store)
    read = 0
    results.define_singleton_method(:progress) { |key| finish.call && super(key) }
    results.define_singleton_method(:document) { |one| (read += 1) && super(one) }
    app = Mohs::Web::App.of(results:, streams:, port: 6647)
    answer = get("/runs/#{run.key}/events", app:)
    first, *rest = answer.body.split("\n\n")
    rows = JSON.parse(first[/^data: (.*)/, 1])

    assert_equal "text/event-stream", answer.headers["content-type"]
    assert_equal "event: rows", first.lines.first.chomp
    assert_equal %w[variant 3.4.5 3.1.2], rows["cells"].map(&:first)
    assert_equal [":", ":", "event: end\ndata: {}"], rest
    assert_equal 1, read # nothing had ended
  end

  test "each kind of run has rows while it is measured" do
    speeds = { "yours" => 1000.0, "1x3" => 990.0, "2x2" => 1200.0 }
    made = [CompareResult.new([0.3, 0.31, 0.3]).to_h,
            SampleTuning.new(speeds, shapes: { "yours" => [1, 5] }, rounds: 2).to_h]

    made.each do |one|
      run = Mohs::StoredResult.write(@store, one, state: "running")
      page = get("/runs/#{run.key}").page

      assert_equal 1, page.all("table").size
      refute_empty page.text(page.id("live-sentence"))
    end
  end

  test "only so many streams are open, and one that ended makes room" do
    run = sample(state: "running")
    streams = Mohs::Web::Streams.new
    bodies = Array.new(Mohs::Web::Streams::MOST) { streams.open { nil } }
    app = app(streams:)

    assert_equal 503, get("/runs/#{run.key}/events", app:).status
    bodies.first.close
    streams.define_singleton_method(:pause) { false }
    assert_equal 200, get("/runs/#{run.key}/events", app:).status
  end

  test "any two variants of a run are compared in every metric" do
    run = sample({ "3.1.2" => 1200, "3.4.5" => 1500, "falcon" => 1400 })
    text = get("/runs/#{run.key}/compare?a=falcon&b=3.4.5").page.text

    assert_includes text, "A is falcon, B is 3.4.5."
    assert_includes text, "3 cohorts had both"
    assert_match(/requests\/s.*\+\d.*better/m, text)
    assert_includes get("/runs/#{run.key}/compare").page.text, "A is 3.1.2"
  end

  test "two that it has not, or only one, are no pair" do
    key = sample.key

    assert_equal 404, get("/runs/#{key}/compare?a=nope").status
    same = get("/runs/#{key}/compare?a=3.4.5&b=3.4.5").page
    assert_includes same.text, "choose two"
    assert_equal 2, same.all("select").size
    assert_includes get("/runs/#{sample({ 'a' => 1000 }).key}/compare").body, "no two variants"
  end

  test "the two of a comparison have its own figures and what they come from" do
    made = ExplainedResult.new(b: { gc: 80.0 }).to_h
    run = Mohs::StoredResult.write(@store, made)
    page = get("/runs/#{run.key}/compare?a=b&b=a").page.text

    assert_includes page, "A is a, B is b."
    assert_includes page, "garbage collection"
  end

  test "logs of servers that failed are shown with why" do
    made = SampleResult.new({ "3.1.2" => 1200 }).to_h
    made[:run][:study][:variants] << { name: "jruby" }
    made[:cohorts].first[:trials] << SampleResult.new({}).failed("jruby", state: "failed")
    page = get("/runs/#{Mohs::StoredResult.write(@store, made).key}/logs").page

    assert_includes page.text, "jruby, round 1: failed"
    assert_equal "line one\nline two\n", page.text(page.all("pre").first)
    assert_includes get("/runs/#{sample.key}/logs").body, "No server of this run has failed."
  end

  test "a run can be had in every format that writes it, as a file" do
    run = sample
    names = get("/runs/#{run.key}/download").page.all("a").map { |one| one.attributes["href"] }
                                           .grep(/download\//).map { |path| path[/\w+\z/] }

    assert_equal Mohs::Exporters::Documents.writing("run").map(&:label).sort, names.sort
    names.each do |name|
      answer = get("/runs/#{run.key}/download/#{name}")
      member = Mohs::Exporters::Documents.fetch(name)

      assert_equal [200, member::MEDIA_TYPE], [answer.status, answer.headers["content-type"]]
      assert_match(/\Aattachment; filename="mohs-\h+\.[\w.-]+"\z/,
                   answer.headers["content-disposition"])
      assert_equal Mohs::Web::App::FILE, answer.headers["content-security-policy"]
    end
    assert_equal run.key, JSON.parse(get("/runs/#{run.key}/download/json").body)["run"]
    assert_equal 404, get("/runs/#{run.key}/download/nope").status
  end

  test "profiles are listed, each for the viewer and as its file" do
    run = profiled_sample(names: ["a", "b & c"])
    page = get("/runs/#{run.key}/profiles").page
    links = page.all("a").map { |one| one.attributes["href"] }

    assert_includes links, "/speedscope/index.html#profileURL=%2Fruns%2F#{run.key}%2Fprofiles%2F1" \
                           "&title=b%20%26%20c"
    file = get("/runs/#{run.key}/profiles/1")
    assert_equal [200, "application/json", Mohs::Web::App::FILE],
                 [file.status, *file.headers.values_at("content-type", "content-security-policy")]
    assert_equal "b & c", JSON.parse(file.body)["name"]
    assert_equal 404, get("/runs/#{run.key}/profiles/2").status
    assert_includes get("/runs/#{run.key}").body, "/runs/#{run.key}/profiles"
  end

  test "a run without profiles says how to get one" do
    run = sample

    assert_includes get("/runs/#{run.key}/profiles").page.text, "profile: true"
    refute_includes get("/runs/#{run.key}").body, "/profiles"
    assert_equal 404, get("/runs/#{run.key}/profiles/0").status
  end

  test "the viewer's files are served with a policy of their own, and no others" do
    %w[index.html speedscope.js speedscope.css SourceCodePro.woff2].each do |name|
      answer = get("/speedscope/#{name}")

      assert_equal 200, answer.status
      assert_equal Mohs::Web::Speedscope::TYPES[name], answer.headers["content-type"]
      assert_match(/connect-src 'self'/, answer.headers["content-security-policy"])
    end
    %w[LICENSE.md x.js ../web.css %2e%2e%2fweb.css].each do |name|
      assert_equal 404, get("/speedscope/#{name}").status, name
    end
  end

  test "a run is renamed, and loses its name again" do
    run = sample
    path = "/runs/#{run.key}/rename"
    answer = post(path, label: "  after\nthe upgrade ")

    assert_equal [302, "/runs/#{run.key}"], [answer.status, answer.headers["location"]]
    assert_equal "after the upgrade", @store.run(run.id).label
    assert_includes get(path).body, 'value="after the upgrade"'
    post(path, label: "")
    assert_nil @store.run(run.id).label
    assert_equal 409, post(path, label: "x" * 101).status
  end

  test "a run is deleted after one was asked; one under way is not" do
    run, alive = sample, sample(state: "running")

    assert_includes get("/runs/#{run.key}/delete").body, "Delete this run?"
    assert_equal 302, post("/runs/#{run.key}/delete").status
    assert_equal 404, get("/runs/#{run.key}").status
    refused = post("/runs/#{alive.key}/delete")
    assert_equal [409, alive.id], [refused.status, @store.run(alive.id).id]
    assert_includes refused.body, "is being measured"
  end

  test "between two rounds a run is under way, too" do
    run = sample(state: "running")
    @store.finish_cohort(@store.cohorts(run.id).last.id, "done")

    assert_includes get("/runs/#{run.key}").body, "live-table"
    assert_equal 409, post("/runs/#{run.key}/delete").status
    assert_equal run.id, @store.run(run.id).id
  end

  test "what is changed is the run that the form named, none that begins like it" do
    run, other = sample, sample
    Sequel.sqlite(File.join(@folder, "mohs.db")) do |database|
      database[:runs].where(id: other.id).update(key: "#{run.key}00")
    end
    path = "/runs/#{run.key}/delete"
    token = csrf(path, app: @app ||= app())

    assert_equal [302, 404], Array.new(2) { post(path, token:).status } # of two clicks
    assert_equal other.id, @store.run(other.id).id
  end

  test "nothing is changed without the token of its own form" do
    run, other = sample, sample
    path = "/runs/#{run.key}/delete"
    foreign = csrf("/runs/#{other.key}/delete", app: @app ||= app())

    [nil, "", "x", foreign].each { |token| assert_equal 403, post(path, token:).status }
    token = csrf(path, app: @app)
    @cookies.clear
    assert_equal 403, post(path, token:).status
    get(path)
    assert_equal run.id, @store.run(run.id).id
  end

  test "a history is drawn, with its changes, in any metric" do
    add_points([[20, 0.0], [15, -0.04]])
    page = get("/histories/shop").page

    marks = page.all("g").map { |one| one.attributes["class"].to_s.split }
    assert_equal 35, (marks.count { |classes| (%w[m small s0] - classes).empty? })
    assert_includes page.text, "c000013 (2026-10-01)"
    assert_includes get("/histories").body, "/histories/shop"
    assert_includes get("/histories/shop?metric=cpu").body, "No point has figures yet."
    assert_equal 404, get("/histories/shop?metric=nope").status
    assert_equal 404, get("/histories/nope").status
  end

  test "studies are listed with their newest run, one with published beside measured" do
    with_study do |publication, result|
      run = Mohs::StoredResult.write(@store, result)
      library = File.dirname(File.dirname(publication.file))
      app = app(library:)

      assert_includes get("/studies", app:).body, "/runs/#{run.key}"
      page = get("/studies/shop-2023", app:).page.text
      assert_includes page, "Published and measured"
      assert_includes page, "YJIT serves more"
      @store.delete_runs([run.id])
      assert_includes get("/studies", app:).body, "none yet"
      assert_includes get("/studies/shop-2023", app:).body, "mohs repro shop-2023"
    end
  end

  test "a study without a run shows its claims with their figures, and what it is about" do
    more = <<~YAML
      environment: {application: their shop, load: ab}
      here: {application: our shop}
      figures:
        - {id: a, place: table 1, value: 13577, unit: requests/s, level: jit, metric: rate}
        - {id: b, place: table 1, value: 10185, unit: requests/s, level: new, metric: rate}
    YAML
    claim = CLAIM.sub("than: new", "than: new, figures: [a, b]")
    with_files(published_files(claim, more:)) do |folder|
      page = get("/studies/shop-2023", app: app(library: folder)).page.text

      assert_match(/application\s*their shop\s*our shop/, page)
      assert_match(/YJIT serves more \(source: p\. 1\)\s*\+33 % \(13 577 against 10 185 req/, page)
    end
  end

  test "a study whose files can't be read is listed with why" do
    FileUtils.mkdir_p(File.join(@folder, "broken"))
    File.write(File.join(@folder, "broken/published.yml"), "claims: 7")
    File.write(File.join(@folder, "broken/study.yml"), "x: 7")

    assert_match(/broken/, get("/studies").page.text)
    assert_equal 200, get("/studies/broken").status
    assert_equal 404, get("/studies/nope").status
  end

  test "what there is not is not found, in words" do
    %w[/nope /runs/zzz /runs/0f0f /runs /histories/x/y /runs/0f0f/nope].each do |path|
      assert_equal 404, get(path).status, path
    end
    assert_equal 404, get("/runs/#{sample.key}/nope").status
    assert_equal 200, get("/?page=x").status
    assert_equal 400, get("/?app[]=x").status
  end

  test "a browser is told what it may do with a page, and with whom it may share it" do
    headers = get("/").headers

    assert_equal ["nosniff", "no-referrer", "same-origin", "same-origin", "no-store"],
                 headers.values_at("x-content-type-options", "referrer-policy",
                                   "cross-origin-opener-policy", "cross-origin-resource-policy",
                                   "cache-control")
    policy = headers["content-security-policy"]
    assert_includes policy, "default-src 'none'"
    refute_includes policy, "unsafe"
    refute(headers.keys.any? { |name| name.start_with?("access-control") })
  end

  test "style and scripts of a page are those that its policy names" do
    answer = get("/")
    page = answer.page
    hashes = [*page.all("style"), *page.all("script")].map do |one|
      "'sha256-#{[Digest::SHA256.digest(page.text(one))].pack('m0')}'"
    end

    assert_equal 3, hashes.uniq.size
    hashes.each { |hash| assert_includes answer.headers["content-security-policy"], hash }
  end

  test "a name that somebody leads to this machine reaches nothing" do
    hosts = { "evil.example" => 403, "localhost.evil.example" => 403, "" => 403,
              "127.0.0.1.evil.example" => 403, "192.168.0.7" => 403, "localhost" => 200,
              "127.0.0.1" => 200, "[::1]" => 200 }

    hosts.each do |host, status|
      assert_equal status, get("/", "HTTP_HOST" => "#{host}:6647").status, host
    end
  end

  test "a page of another site may lead here, and makes it do nothing else" do
    asked = lambda do |site, mode, dest, method = "GET"|
      request(method, "/", app: @app ||= app(), "HTTP_SEC_FETCH_SITE" => site,
                           "HTTP_SEC_FETCH_MODE" => mode, "HTTP_SEC_FETCH_DEST" => dest).status
    end
    runs = 0
    @store.define_singleton_method(:listed) { |**options| (runs += 1) && super(**options) }

    %w[cross-site same-site].each do |site|
      assert_equal 200, asked[site, "navigate", "document"]
      assert_equal 403, asked[site, "navigate", "document", "POST"]
      { "no-cors" => "image", "cors" => "empty", "navigate" => "iframe" }.each do |mode, dest|
        assert_equal 403, asked[site, mode, dest]
      end
    end
    assert_equal 2, runs
    assert_equal 200, asked["same-origin", "cors", "empty"]
    assert_equal 200, asked["none", "navigate", "document"]
  end

  test "where others can reach it, it is asked for by address or by this machine's name" do
    app = app(token: TOKEN, bind: "0.0.0.0")
    hosts = { "evil.example" => 403, "192.168.0.7" => 401, "[fe80::1]" => 401, "localhost" => 401,
              Socket.gethostname => 401 }

    hosts.each do |host, status|
      assert_equal status, get("/", app:, "HTTP_HOST" => "#{host}:6647").status, host
    end
  end

  TOKEN = "0123456789abcdef0123"

  test "with a token nothing is shown without it; once given in the address it stays" do
    app = app(token: TOKEN)
    run = sample

    %W[/ /runs/#{run.key} /nope /studies /?token=wrong /?token[]=x].each do |path|
      assert_includes [400, 401], get(path, app:).status, path
      refute_includes get(path, app:).body, run.key
    end
    assert_equal 401, post("/runs/#{run.key}/delete", app:, token: "x").status
    answer = get("/?token=#{TOKEN}", app:)
    assert_equal [302, "/"], [answer.status, answer.headers["location"]]
    assert_match(/httponly; samesite=lax/i, answer.headers["set-cookie"].to_s)
    assert_equal 200, get("/runs/#{run.key}", app:).status
    @cookies.clear
    assert_equal 200, get("/", app:, "HTTP_AUTHORIZATION" => "Bearer #{TOKEN}").status
    assert_equal 401, get("/", app:, "HTTP_AUTHORIZATION" => "Bearer x").status
  end

  test "the app of a server is frozen, and no two share their secrets" do
    one, other = app, app

    assert_predicate one, :frozen?
    refute_equal one.opts[:sessions], other.opts[:sessions]
  end

  test "a request that nobody can read is no fault of ours" do
    ["x" * 5000, "a\0b", "\xff".b].each do |host|
      assert_equal 403, get("/", "HTTP_HOST" => host).status
    end
    assert_equal 400, get("/", "QUERY_STRING" => "page=%zz").status
  end

  test "a fault of ours is reported to the terminal, and its text stays there" do
    log = StringIO.new
    @store.define_singleton_method(:tracks) { raise "boom in /secret/place" }
    answer = get("/histories", app: app(log:))

    assert_equal 500, answer.status
    refute_includes answer.body, "secret"
    assert_includes log.string, "boom in /secret/place"
  end

  test "a store that can't be read is no fault of ours" do
    @store.define_singleton_method(:tracks) { raise Mohs::StoreError, "it is locked" }
    answer = get("/histories")

    assert_equal 503, answer.status
    assert_includes answer.body, "it is locked"
  end

  CLAIM = "- {text: YJIT serves more, place: p. 1, order: {more: jit, than: new}}\n"

  private

  # A publication in a folder of studies, and what a run of it would store.
  def with_study
    with_files(published_files(CLAIM)) do |folder|
      publication = Mohs::Repro::File.load(File.join(folder, "shop-2023"))
      made = nil
      reproduced(publication, { "old" => 950, "new" => 1000, "jit" => 1320 }) { |one| made = one }
      yield publication, made
    end
  end

  def add_points(steps)
    SampleHistory.points(SampleHistory.steps(*steps)).each do |point|
      run_id = create_run(@store).id
      @store.add_point("shop", run_id:, at_ms: point.at_ms,
                               **point.to_h.except(:id, :track, :run_id, :at_ms))
    end
  end
end
