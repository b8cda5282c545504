# frozen_string_literal: true

require "test_helper"
require "socket"

# --from-log of all commands that have it, in process.
class CLITrafficTest < Mohs::TestCase
  include Mohs::CLIHelper

  DRIVER = ->(**options) { Mohs::Drivers.fetch("native").new(**options) }
  LOG = File.expand_path("../../fixtures/traffic/rails.log", __dir__)
  HAR = File.expand_path("../../fixtures/traffic/har.har", __dir__)
  APP = { "config.ru" => "run ->(_) { [200, {}, []] }" }.freeze
  PAGES = %w[/posts /posts/1 /reset / /api/items].freeze

  # Yields the port of a server that has `pages`; what it was asked is in @seen.
  def served(pages = PAGES)
    @seen = Queue.new
    server = TCPServer.new("127.0.0.1", 0)
    accepting = Thread.new do
      loop { Thread.new(server.accept) { |socket| talk(socket, pages) } }
    end
    yield server.addr[1]
  ensure
    accepting.kill.join
    server.close
  end

  def talk(socket, pages)
    while (head = socket.gets("\r\n\r\n"))
      method, target = head.split
      body = socket.read(head[/^content-length: (\d+)/i, 1].to_i)
      @seen << [method, target, body, head[/^accept: (.*)\r$/i, 1]]
      status = pages.include?(target.split("?").first) ? "200 OK" : "404 Not Found"
      socket.write("HTTP/1.1 #{status}\r\nContent-Length: 2\r\n\r\nok")
    end
  rescue SystemCallError, IOError
    nil # the other end has seen enough
  ensure
    socket.close
  end

  def load(port, *argv)
    mohs("load", "127.0.0.1:#{port}", "-n", "60", "-c", "2", *argv, driver: DRIVER)
  end

  def asked = Array.new(@seen.size) { @seen.pop }

  # The declaration that an experiment is given.
  def declared(*argv)
    with_files(APP.merge("production.log" => File.binread(LOG))) do |dir|
      plan = fixture_study.procedure.plan(seed: 1)
      experiment = FakeExperiment.new(document: fixture_document, study: fixture_study, plan:)
      @output = mohs(*argv, dir:, experiment: -> { experiment })
      return experiment.declaration
    end
  end

  test "a log's requests are loaded as often as they came" do
    served do |port|
      output = load(port, "--from-log", LOG)

      assert_equal 0, output.status, output.err
      assert_match(/: 60 sent, all answered as expected\.$/, output.out)
      assert_equal ["/posts", "/posts/1?page=2", "/reset?lang=de"],
                   asked.map { |one| one[1] }.uniq.sort
      assert_includes output.err, "rails.log (rails): 27 lines\n"
      assert_includes output.err,
                      "GET /posts, GET /posts/1?page=2, GET /reset?lang=de at 127.0.0.1:"
    end
  end

  test "what the server refuses is left out, told, and in the document" do
    served(%w[/posts /reset]) do |port|
      output = load(port, "--from-log", LOG, "--json")
      document = output.json

      assert_equal 0, output.status, output.err
      assert_match(%r{1 of .* 3 requests, 33 % .*left out.*: GET /posts/1\?page=2 returned 404},
                   output.err)
      assert_equal [["GET /posts", 1], ["GET /reset?lang=de", 1]],
                   document[:answers].map { |answer| answer.values_at(:request, :weight) }
      assert_equal [["GET /posts/1?page=2", 1]],
                   document[:traffic][:refused].map { |one| one.values_at(:request, :weight) }
      assert_empty Mohs::JSONContract.new("`load`").faults(document)
    end
  end

  test "a server without its pages is refused" do
    served([]) do |port|
      output = load(port, "--from-log", LOG, "--quiet")

      assert_equal [1, ""], [output.status, output.out]
      assert_operator output.err, :start_with?, "mohs: 3 of the log's 3 requests, 100 % by weight"
    end
  end

  test "a HAR's bodies are sent, under headers of the person's" do
    served do |port|
      output = load(port, "--from-log", HAR, "-H", "Accept: text/plain", "--get", "/posts")
      asked = asked()

      assert_equal 0, output.status, output.err
      assert_includes asked, ["POST", "/api/items", "{\"name\":\"größe\"}".b, "text/plain"]
      assert_includes asked, ["GET", "/posts", "", "text/plain"]
      assert_equal ["text/plain"], asked.map(&:last).uniq
    end
  end

  test "more than a few requests are not all named" do
    served do |port|
      named = %w[a b c d e f].flat_map { |page| ["--get", "/posts?#{page}"] }

      assert_includes load(port, *named).err, "GET /posts?d and 2 more at 127.0.0.1"
      assert_includes load(port, *named.first(10)).err, "GET /posts?d, GET /posts?e at 127.0.0.1"
    end
  end

  test "run and compare take them too, with those that are named" do
    [%w[run], %w[compare 3.1.2 3.4.5]].each do |command|
      requests = declared(*command, "--get", "/x", "--weight", "7", "--from-log", "production.log",
                          "--log-top", "2", "--with-writes")[:requests]

      assert_equal [["GET /x", 7, false], ["GET /posts", 1, true],
                    ["GET /posts/1?page=2", 1, true]],
                   requests.map { |one| [one.to_s, one.weight, one.optional] }
      assert_includes @output.err,
                      "production.log (rails): 27 lines\n  2 most frequent of 3 distinct"
    end
    declared("run", "--from-log", "production.log", "--quiet")

    assert_empty @output.err
  end

  test "mistakes are told" do
    {
      %w[--log-top 5] => "--log-top needs --from-log FILE",
      %w[--with-writes] => "--with-writes needs --from-log FILE",
      %w[--from-log no.log] => "no.log: No such file",
      %w[--from-log production.log --log-top 0] => "--log-top 0:",
      %w[--from-log production.log --log-top 10001] => "--log-top 10001: 10000 at most",
      %w[--from-log production.log --log-format rail] => "unknown log format \"rail\"",
      %w[--from-log production.log --log-format common] =>
        "production.log: .*: 27 lines",
      %w[--from-log production.log --weight 3] => "--weight belongs",
    }.each do |argv, message|
      declared("run", *argv)

      assert_equal 2, @output.status
      assert_match(/\Amohs: #{message}/, @output.err)
    end
  end
end
