# frozen_string_literal: true

require "test_helper"

class LoadScenarioPatternTest < Mohs::TestCase
  include Mohs::Screens

  def parse(text) = Mohs::Load::Scenario::Pattern.parse(text)

  def set(pattern)
    (0..255).select { |byte| pattern.set[byte] }.map { |byte| byte.chr.b }
  end

  test "text, a group, text" do
    pattern = parse('name="token"\tvalue=\"([^"\s]+)" \/>')

    assert_equal "name=\"token\"\tvalue=\"", pattern.before
    assert_equal '" />', pattern.behind
    assert_equal [1, false], [pattern.least, pattern.lazy]
    assert_equal 256 - 7, set(pattern).size
    refute_includes set(pattern), "\n"
  end

  test "the kinds of groups are those of Ruby" do
    ['\d+', '\w*', '\S+', '\D+', ".+?", ".*?", "[a-f0-9]+", "[^<>&]+", '[\w\-.]+',
     '[\]\\\\x-]*', "[+/=]+"].each do |group|
      pattern = parse("<(#{group})>")
      whole = Regexp.new("\\A#{group.delete_suffix('?').sub(/[+*]\z/, '')}\\z", nil, "n")
      (0..255).each do |byte|
        assert_equal whole.match?(byte.chr.b), pattern.set[byte], "#{group} and byte #{byte}"
      end
      assert_equal group.match?(/\+\??\z/) ? 1 : 0, pattern.least
      assert_equal group.end_with?("?"), pattern.lazy
    end
  end

  test "what C finds is what Ruby's regular expression finds" do
    random = Random.new(Minitest.seed)
    ["a([b]+)c", "ab([^a]*)b", "a(.+?)b", "b([ab]*)", 'c(\w+)a', "a(.*?)bc"].each do |text|
      pages = Array.new(60) { Array.new(random.rand(14)) { "abc".chars.sample(random:) }.join }
      assert_equal(pages.map { |page| page[Regexp.new(text), 1] }, captured(text, pages), text)
    end
  end

  REFUSED = [
    "no group", "a(?:b+)", "a.b(.+)", "a(b+)", 'a(\d)', 'a(\d{3})', '(\d+)b', "a(.+?)",
    'a(\d+)(\d+)', 'a(\d+|x)', 'a(\d+)$', 'a\d(\d+)', 'a(\p+)', 'a(\d+)\\', "a([b+)", "a([ä]+)",
    "a([z-a]+)",
  ].freeze

  test "what C can't follow is refused, with what it could" do
    told = REFUSED.to_h do |text|
      message = assert_raises(Mohs::UsageError, text) { parse(text) }.message
      [text, message]
    end
    assert_told "mistakes-patterns", told
  end

  private

  # What a client captures of each page and then asks for; nil where it captured nothing.
  def captured(text, pages)
    asked = []
    answer = lambda do |number|
      page = pages[number]
      "HTTP/1.1 200 OK\r\nContent-Length: #{page.bytesize}\r\n\r\n#{page}"
    end
    open_pages(pages, asked, answer) do |port|
      capture = Mohs::Load::Scenario::Capture.new(name: "found", pattern: parse(text), html: false)
      run_scenario(port, capture, pages.size)
    end
    asked
  end

  def open_pages(pages, asked, answer)
    server = TCPServer.new("127.0.0.1", 0)
    serving = Thread.new do
      socket = server.accept
      page = -1
      while (head = socket.gets("\r\n\r\n"))
        if head.start_with?("GET /page")
          asked << nil
          socket.write(answer.call(page += 1))
        else
          asked[-1] = head[%r{ /found\?(\w*) }, 1]
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        end
      end
    end
    yield server.addr[1]
  ensure
    serving.kill.join
    server.close
  end

  def run_scenario(port, capture, count)
    common = { method: "GET", headers: {}, body: nil, think: 0..0, expect: [200] }
    steps = [Mohs::Load::Scenario::Request.new(**common, path: "/page", captures: [capture]),
             Mohs::Load::Scenario::Request.new(**common, path: "/found?{found}", captures: [])]
    scenario = Mohs::Load::Scenario.new(
      variables: { "found" => Mohs::Load::Scenario::Variable.new(kind: :captured) }, login: nil,
      steps:,
      actions: [Mohs::Load::Scenario::Action.new(name: nil, weight: 1, steps: 0...2)],
    )
    target = Mohs::Load::Target.new(host: "127.0.0.1", port:, connections: 1, scenario:)
    driver = Mohs::Drivers.fetch("native").new(targets: [target], capacity: 1000)
    driver.run([Mohs::Load::Step.new(count:)])
  ensure
    driver&.close
  end
end
