# frozen_string_literal: true

require "test_helper"
require "rack/mock"

# Texts of others stay text on every page of the dashboard, wherever in the store they stand.
class WebHostileTest < Mohs::TestCase
  include Mohs::WebHelper

  # Tags that pages of mohs have.
  TAGS = %w[html head meta title style script body a header main footer nav section h1 h2 h3 p b ul
            li dl dt dd div span pre code details summary table caption thead tbody tr th td svg
            desc g path line rect text tspan form label select option input button].freeze
  LINK = %r{\A(?:#[\w-]+|/[\w.~%?&=;+:@,/-]*|https://example\.org\S*)\z}
  # Words that decide: with others a row is none.
  WORDS = %i[state outcome command method name key kind level severity engine jit].freeze
  ALL = Mohs::HostileText::MARKUP

  test "every text on every page about a run" do
    ALL.each_slice(5) do |texts|
      run = hostile_run(texts.join(" "))
      names = @store.result(run.id).study.variants.map(&:name)
      a, b = names.map { |name| URI.encode_www_form_component(name.scrub) }
      pages = ["", "/compare", "/compare?a=#{a}&b=#{b}", "/logs", "/download", "/rename", "/delete"]

      pages.each { |page| assert_clean get("/runs/#{run.key}#{page}"), page }
      assert_clean get("/"), "list"
    end
  end

  test "every text of a run under way, on its page and in its events" do
    run = hostile_run(ALL.join(" "), state: "running")
    streams = Mohs::Web::Streams.new
    streams.define_singleton_method(:pause) { false }
    events = get("/runs/#{run.key}/events", app: app(streams:)).body

    assert_clean get("/runs/#{run.key}"), "live"
    assert_equal 3, events.lines.size
    refute_match Mohs::HostileText::FORBIDDEN, JSON.parse(events[/^data: (.*)/, 1]).to_s
  end

  test "every text of a history" do
    ALL.each do |text|
      point = SampleHistory.points([0.0, 0.1]).first.to_h.except(:id, :track, :run_id, :at_ms)
      commit = point[:commit].transform_values { |value| value.is_a?(String) ? text : value }
      track = "shop #{text}".scrub.delete("\0")
      2.times do |index|
        @store.add_point(track, run_id: create_run(@store).id, at_ms: index, **point, commit:,
                                run: "0f", reference: text, requested: [text],
                                finding: SampleHistory.failed(text))
      end

      assert_clean get("/histories/#{Mohs::Web::Page.segment(track)}"), text, 200
    end
    assert_clean get("/histories"), "list"
  end

  test "every text of a study" do
    yaml = { "title" => ALL.join(" ").scrub.delete("\0\e"),
             "source" => { "authors" => ALL.map { |one| one.scrub.delete("\0\e") }, "year" => 2023,
                           "title" => "x", "address" => "javascript:alert(1)" },
             "claims" => [{ "id" => "a", "text" => ALL.join(" ").scrub.delete("\0\e"),
                            "place" => "<b>", "not_testable" => "<b>" }] }
    files = { "x/config.ru" => "", "x/study.yml" => Mohs::Published::STUDY,
              "x/published.yml" => YAML.dump(yaml) }
    with_files(files) do |folder|
      app = app(library: folder)
      assert_clean get("/studies", app:), "list"
      assert_clean get("/studies/x", app:), "study"
    end
  end

  test "every text in an address" do
    key = sample.key
    ALL.each do |text|
      word = URI.encode_www_form_component(text.dup.force_encoding("BINARY"))
      ["/?app=#{word}&state=#{word}&page=1", "/runs/#{word}", "/runs/#{key}/compare?a=#{word}",
       "/runs/#{key}/download/#{word}", "/histories/#{word}", "/histories/x?metric=#{word}",
       "/studies/#{word}", "/#{word}"].each { |path| assert_clean get(path), path }
    end
  end

  test "every text as the name of a run" do
    run = sample
    ALL.each do |text|
      post("/runs/#{run.key}/rename", label: text.dup.force_encoding("BINARY"))
      ["/", "/runs/#{run.key}", "/runs/#{run.key}/rename", "/runs/#{run.key}/delete"].each do |path|
        assert_clean get(path), text, 200
      end
    end
  end

  private

  # Made up, with the text at the end of each of its texts but those that decide.
  def hostile_run(text, **options)
    made = SampleResult.new({ "a" => 1000, "b" => 1500 }, blocks: 2).to_h
    made[:run][:study][:variants] << { name: "c" }
    made[:cohorts].each { |one| one[:trials] << SampleResult.new({}).failed("c", state: "failed") }
    made[:cohorts].each { |one| one[:state] = "done" }
    run = Mohs::StoredResult.write(@store, everywhere(made, text), **options)
    @store.label_run(run.id, text)
    run
  end

  def everywhere(result, text)
    Mohs::HostileText.everywhere(result, text) do |key, value|
      WORDS.include?(key) && !%w[a b c].include?(value)
    end
  end

  def assert_clean(answer, about, status = nil)
    assert_includes [200, 400, 404], answer.status, about
    assert_equal status, answer.status, about if status
    page = answer.page
    assert_empty page.all.map(&:name).uniq - TAGS, about
    own = [Mohs::Report::Html::SCRIPT, Mohs::Report::Html::STYLE, Mohs::Web::Page::STYLE,
           *Mohs::Web::Page::SCRIPTS]
    page.all("script", "style").each { |one| assert_includes own, page.text(one), about }
    page.attributes.each do |_, name, value|
      refute_match(/\Aon|\Astyle\z|\Asrc|action/, name, about)
      assert_match(LINK, value, about) if name == "href"
    end
  end
end
