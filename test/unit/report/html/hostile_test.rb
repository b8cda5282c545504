# frozen_string_literal: true

require "test_helper"

# Texts of others never become markup, script or style, nor links that lead elsewhere, wherever in a
# document they stand.
class HostilePageTest < Mohs::TestCase
  include Mohs::PageDocuments

  HOSTILE = Mohs::HostileText::MARKUP

  # A little of everything that a page is made of.
  RATES = { "3.1.2" => 1000, "3.4.5" => 1500 }.freeze

  # Words that the page decides by: with others it has no figures to show.
  WORDS = %i[state outcome command metric key name judgement kind severity level better].freeze

  # Tags that pages of mohs have.
  TAGS = %w[html head meta title style script body a header main footer nav section h1 h2 h3 p b ul
            li dl dt dd div span pre code details summary table caption thead tbody tr th td svg
            desc g path line rect text tspan].freeze

  TAG = %r{\A<(?:!DOCTYPE html|/?(?:#{TAGS.join('|')})(?: [\w:-]+="[^"<]*")*(?: /)?)>\z}

  DOCUMENTS = {
    "run" => ->(test) { test.page_run(RATES, requests: 60, rounds: 1) },
    "compare" => ->(test) { test.page_compare(requests: 100, cohorts: 4) },
    "tune" => lambda(&:page_tune), "repro" => lambda(&:page_repro),
    "load" => ->(test) { test.page_load(300) },
    "rate" => lambda(&:page_rate), "gate" => lambda(&:page_gate),
    "history" => lambda(&:page_history),
  }.freeze

  def document(name) = (@@documents ||= {})[name] ||= DOCUMENTS.fetch(name).call(self)

  def html(document) = Mohs::Report::Html.new(document).to_s

  test "there are twenty of them" do
    assert_equal 20, HOSTILE.uniq.size
  end

  HOSTILE.each_with_index do |text, at|
    test "text #{at} in every field of a run at once" do
      page = Mohs::Page.new(html(everywhere(document("run"), text)))

      assert_clean page
      assert_includes page.text, Mohs::Printable.call(text).tr("\u{FFFE}", "?")
    end
  end

  (DOCUMENTS.keys - %w[run]).each do |name|
    test "all of them in every field of #{name} at once" do
      assert_clean Mohs::Page.new(html(everywhere(document(name), HOSTILE.join(" "))))
    end
  end

  DOCUMENTS.each_key do |name|
    test "all of them in each field of #{name} by itself, those that decide among them" do
      faults = each_field(document(name).except(:curves)).filter_map do |path, changed|
        fault = fault(html(changed))
        "#{path}: #{fault}" if fault
      rescue KeyError, NoMethodError => error
        # A word that no document has: no page either.
        "#{path}: #{error.class}" unless WORDS.include?(path[/\w+\z/].to_sym)
      end

      assert_empty faults
    end
  end

  test "names of keys that are anybody's" do
    run = Marshal.load(Marshal.dump(document("run")))
    bad = HOSTILE.to_h { |text| [text.dup.scrub.to_sym, text] }
    found = { gems: bad, variables: bad, gc: { variables: bad } }
    run[:rows].each { |row| row[:attested] = { **row[:attested], **found } }
    run[:host] = { fingerprint: bad, noise: {}, against: [] }
    run[:provenance] = { seed: 1, argv: HOSTILE, versions: bad }

    assert_clean Mohs::Page.new(html(run))
  end

  test "what is very long is cut, and the page stays small" do
    assert_operator html(everywhere(document("run"), "x" * 50_000)).bytesize, :<, 1_000_000
  end

  private

  def assert_clean(page)
    assert_empty page.all.map(&:name).uniq - TAGS
    assert_equal [1, 1], [page.all("script").size, page.all("style").size]
    assert_equal [Mohs::Report::Html::SCRIPT, Mohs::Report::Html::STYLE],
                 [page.all("script"), page.all("style")].map { |found| page.text(found.first) }
    page.attributes.each do |_, name, value|
      refute_match(/\Aon|\Astyle\z|\Asrc|action/, name)
      assert_match(%r{\A(?:#[\w-]+|https://example\.org\S*)\z}, value) if name == "href"
    end
  end

  # As assert_clean, quickly: tags as a browser would find them. nil: nothing is wrong.
  def fault(html)
    body = html.sub(Mohs::Report::Html::STYLE, "").sub(Mohs::Report::Html::SCRIPT, "")
    tags = body.scan(/<[^>]*>?/)
    strange = tags.find { |tag| !tag.match?(TAG) }
    return strange if strange

    tags.find do |tag|
      tag.gsub(/="[^"]*"/, "=").match?(/ (?:on\w+|style|src)=/) ||
        tag.match?(/ href="(?!#[\w-]+"|https:\/\/example\.org)/)
    end
  end

  # Every text has it at its end, but for words that decide.
  def everywhere(document, text)
    Mohs::HostileText.everywhere(document, text) { |key, _| WORDS.include?(key) }
  end

  # [[path, document with all of them at the end of that text]]: items of a list count as one.
  def each_field(value, path = "")
    case value
    when Hash
      value.flat_map do |key, item|
        each_field(item, "#{path}/#{key}").map { |at, new| [at, { **value, key => new }] }
      end
    when Array
      return [] if value.empty?

      each_field(value.first, "#{path}/0").map { |at, new| [at, [new, *value.drop(1)]] }
    when String then [[path, "#{value}#{HOSTILE.join(' ')}"]]
    else []
    end
  end
end
