# frozen_string_literal: true

require "test_helper"

# Pages in a real Chromium: what a reader sees first, what nobody may see, and whether everybody can
# read them.
class BrowserTest < Mohs::TestCase
  include Mohs::PageDocuments
  include Mohs::WebHelper

  PHONE = [400, 800].freeze
  FEW = Mohs::PageDocuments::VARIANTS.slice("3.1.2", "3.3.8", "3.4.5 --yjit").freeze

  PAGES = {
    "run" => ->(test) { test.page_run(FEW, requests: 300, cold: true) },
    "compare" => ->(test) { test.page_compare(requests: 300) },
    "tune" => lambda(&:page_tune), "repro" => lambda(&:page_repro),
    "load" => ->(test) { test.page_load(500) }, "rate" => lambda(&:page_rate),
    "gate" => lambda(&:page_gate), "history" => lambda(&:page_history),
  }.freeze

  def setup
    super
    skip "Chromium is not installed (apt-get install chromium-headless-shell)" unless
      Mohs::Browser.path
  end

  def browser = Mohs::Browser.shared

  def written(document)
    path = File.join(@folder, "page.html")
    File.write(path, Mohs::Report::Html.new(document).to_s)
    "file://#{path}"
  end

  PAGES.each do |name, document|
    test "the page of #{name}: the answer is on the first screen, in any size and scheme" do
      url = written(document.call(self))
      [[Mohs::Browser::SIZE, "light"], [Mohs::Browser::SIZE, "dark"],
       [PHONE, "light"]].each do |size, scheme|
        browser.open(url, size:, scheme:) do |page|
          assert_equal [url], page.requests.uniq
          assert_empty page.complaints
          assert_operator page.bottom("h1"), :<, size[1]
          assert_operator page.bottom("dl.facts"), :<, size[1] if size == Mohs::Browser::SIZE
          assert_operator page.overflow, :<=, 0, "#{size} #{scheme}"
        end
      end
    end

    test "the page of #{name}: axe-core finds no serious fault" do
      skip "axe-core can't be fetched: npm or its registry is not here" unless Mohs::Browser::Axe.here?

      url = written(document.call(self))
      %w[light dark].each do |scheme|
        browser.open(url, scheme:) { |page| assert_empty page.faults, scheme }
      end
    end
  end

  test "what is looked for is found where it is" do
    path = File.join(@folder, "bad.html")
    File.write(path, <<~HTML)
      <p style="width: 2000px; color: #ccc">pale</p><img src="nowhere.png">
      <script>setTimeout(() => alert("run"))</script>
    HTML
    browser.open("file://#{path}", size: PHONE) do |page|
      assert(eventually { page.dialogs == ["run"] })
      assert_equal 2, page.requests.uniq.size
      assert_operator page.overflow, :>, 0
      assert_match(/ERR_FILE_NOT_FOUND/, page.complaints.join)
      assert_empty %w[color-contrast image-alt] - page.faults.map(&:rule) if
        Mohs::Browser::Axe.here?
    end
  end

  test "texts of others run nothing, wherever they stand in a page" do
    hostile = Mohs::HostileText::MARKUP.join(" ")
    url = written(everywhere(page_run(FEW, requests: 60), hostile))
    browser.open(url) do |page|
      assert_equal [url], page.requests.uniq
      assert_empty page.dialogs
      assert_includes page.evaluate("document.body.innerText"), "<script>alert(1)</script>"
    end
  end

  test "the dashboard of a hostile application: nothing runs, nothing leaves, all can read it" do
    run = hostile_run(Mohs::HostileText::MARKUP.join(" "))
    with_web do |url|
      paths = ["", "runs/#{run.key}", "runs/#{run.key}/compare", "runs/#{run.key}/logs",
               "runs/#{run.key}/rename", "histories", "studies"]
      paths.each do |path|
        browser.open("#{url}#{path}", size: PHONE, scheme: "dark") do |page|
          assert(page.requests.all? { |one| one.start_with?(url) }, page.requests.inspect)
          assert_empty [*page.dialogs, *page.complaints], path
          assert_operator page.overflow, :<=, 0, path
          assert_empty page.faults, path if Mohs::Browser::Axe.here?
        end
      end
    end
  end

  test "a profile is drawn by the viewer that mohs brings along" do
    run = profiled_sample
    with_web do |url|
      link = nil
      browser.open("#{url}runs/#{run.key}/profiles") do |page|
        link = page.evaluate("document.querySelector('td a').href")
      end
      browser.open(link) do |page|
        assert eventually { page.evaluate("document.body.innerText").include?("a (1/2)") }
        assert(page.requests.all? { |one| one.start_with?(url) }, page.requests.inspect)
        assert_empty page.complaints.grep_v(/WebGL/)
      end
    end
  end

  test "a run under way fills in by itself" do
    sample = SampleResult.new({ "a" => 1000, "b" => 1500 }, blocks: 2).to_h
    run = Mohs::StoredResult.write(@store, sample, state: "running")
    with_web do |url|
      browser.open("#{url}runs/#{run.key}") do |page|
        assert_includes page.evaluate("document.body.innerText"), "So far"
        @store.finish_run(run.id, "finished")
        assert eventually { !page.evaluate("document.body.innerText").include?("So far") }
        assert_empty page.complaints
      end
    end
  end

  private

  SOON_S = 30

  def eventually
    deadline = Mohs::Clock.mono_ns + (SOON_S * 1_000_000_000)
    sleep 0.2 until (found = yield) || Mohs::Clock.mono_ns > deadline
    found
  end

  def database = File.join(@folder, "mohs.db")

  def with_web
    command = [File.join(Mohs.root, "bin/mohs"), "web", "--port", "0"]
    Open3.popen3({ "MOHS_DATABASE_URL" => database }, *command) do |_, out, _, thread|
      yield out.gets[/http\S+/]
    ensure
      ::Process.kill("INT", thread.pid) if thread.alive?
    end
  end

  # Words that decide stay: with others a row is none.
  WORDS = %i[state outcome command method metric key name judgement kind severity level better
             engine jit].freeze

  def everywhere(document, text)
    Mohs::HostileText.everywhere(document, text) { |key, _| WORDS.include?(key) }
  end

  def hostile_run(text)
    made = SampleResult.new({ "a" => 1000, "b" => 1500 }, blocks: 2).to_h
    run = Mohs::StoredResult.write(@store, everywhere(made, text))
    @store.label_run(run.id, text.scrub.delete("\0"))
    run
  end
end
