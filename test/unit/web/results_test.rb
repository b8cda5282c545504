# frozen_string_literal: true

require "test_helper"

# What pages show, and what is remembered of it.
class WebResultsTest < Mohs::TestCase
  include Mohs::WebHelper
  include Mohs::Published

  CLAIM = "- {text: YJIT serves more, place: p. 1, order: {more: jit, than: new}}\n"

  def library = Mohs::Repro::Library.new(folder: @folder)

  def results = @results ||= Mohs::Web::Results.new(@store, library:)

  test "the page of a finished run is drawn once, until something of it changes" do
    run = sample
    drawn = ->(above) { results.page(results.run(run.key), above:) }

    assert_same drawn.call("a"), drawn.call("b")
    @store.label_run(run.id, "x")
    assert_includes drawn.call("c"), "c"
    refute_includes drawn.call("c"), "<body>a"
  end

  test "a stopped run is drawn anew, and only so many pages are kept" do
    stopped = sample(state: "interrupted")
    runs = Array.new(Mohs::Web::Results::KEPT + 1) { sample({ "a" => 1000 }) }
    pages = runs.map { |run| results.page(results.run(run.key), above: nil) }

    refute_same results.page(results.run(stopped.key), above: nil),
                results.page(results.run(stopped.key), above: nil)
    assert_same pages.last, results.page(results.run(runs.last.key), above: nil)
    refute_same pages.first, results.page(results.run(runs.first.key), above: nil)
  end

  test "a history is drawn anew once any of its points was measured again" do
    runs = SampleHistory.points([0.01, 0.02, 0.03]).map do |point|
      create_run(@store).tap { |run| add_point(run.id, point) }
    end
    first = results.history("shop")
    assert_same first, results.history("shop")
    add_point(runs[1].id, SampleHistory.points([0.0, 0.5])[1]) # as a run that is resumed

    assert_in_delta Math.exp(0.5), results.history("shop")[:points][1][:effect]
  end

  test "the page of a point is drawn anew once its history has grown" do
    track = { name: "shop", reference: "@v1", reference_id: "@0f3a", check: false }
    made = CompareResult.new([0.1, 0.1, 0.1], track:).to_h
    run = Mohs::StoredResult.write(@store, made)
    page = -> { results.page(results.run(run.key), above: nil) }

    refute_includes page.call, "points so far"
    earlier, newest = SampleHistory.points([0.01, 0.02])
    add_point(run.id, newest)
    assert_same page.call, page.call
    one = page.call
    add_point(create_run(@store).id, earlier)
    refute_equal one, page.call
  end

  test "the page of a reproduction is drawn anew once its publication's files have changed" do
    with_files(published_files(CLAIM)) do |folder|
      publication = Mohs::Repro::File.load(File.join(folder, "shop-2023"))
      run = nil
      reproduced(publication, { "old" => 950, "new" => 1000, "jit" => 1320 }) do |made|
        run = Mohs::StoredResult.write(@store, made)
      end
      page = -> { results.page(results.run(run.key), above: nil) }

      assert_same page.call, page.call
      retitle(File.join(folder, "shop-2023", "published.yml"), publication.title)
      assert_includes page.call, "Other Rubies"
    end
  end

  # Later than the file was, whatever the clock of the file system.
  def retitle(path, title)
    File.write(path, File.read(path).sub(title, "Other Rubies"))
    File.utime(Time.now + 60, Time.now + 60, path)
  end

  test "the page of a run that is no point stays, whatever history grows" do
    run = Mohs::StoredResult.write(@store, SampleResult.new({ "a" => 1000 }).to_h)
    one = results.page(results.run(run.key), above: nil)
    add_point(create_run(@store).id, SampleHistory.points([0.01]).first)

    assert_same one, results.page(results.run(run.key), above: nil)
  end

  def add_point(run_id, point)
    others = point.to_h.except(:id, :track, :run_id, :at_ms)
    @store.add_point("shop", run_id:, at_ms: point.at_ms, **others)
  end

  test "a run whose study is gone is shown without its claims" do
    made = SampleResult.new({ "a" => 1000 }).to_h
    made[:run][:study][:published] = { name: "x", file: "/gone/study.yml", tests: [] }
    run = results.run(Mohs::StoredResult.write(@store, made).key)

    assert_equal "run", results.document(run)[:command]
    assert_same results.page(run, above: nil), results.page(run, above: nil)
  end

  test "warming up finds the answers of runs that have none, and leaves the others" do
    old, told, alive = sample, sample, sample(state: "running")
    @store.answer_run(told.id, "as it was")
    results.warm

    sentence = Mohs::Report::Model.build(results.run(old.key))[:sentence]
    assert_equal [sentence, "as it was", nil],
                 [old, told, alive].map { |run| @store.run(run.id).answer }
  end

  test "warming up survives a store that is locked" do
    FileUtils.mkdir_p(File.join(@folder, "shop"))
    File.write(File.join(@folder, "shop/published.yml"), "x: 7")
    results.define_singleton_method(:studies) { raise Mohs::StoreError, "locked" }

    assert_nil results.warm
  end
end
