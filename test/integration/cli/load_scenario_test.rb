# frozen_string_literal: true

require "test_helper"

# `mohs load URL --scenario FILE` in process, against a forum with sessions and tokens.
class CLILoadScenarioTest < Mohs::TestCase
  include Mohs::CLIHelper

  DRIVER = ->(**options) { Mohs::Drivers.fetch("native").new(**options) }

  FORUM = <<~YAML
    variables:
      user: {csv: users.csv, column: login, per: client}
      password: {csv: users.csv, column: password, per: client}
      text: {letters: 12}
      number: {sequence: 1}
    login:
      - get: /login
        capture: {token: {match: 'name="token" value="([^"]+)"', html: true}}
      - post: /login
        form: {user: "{user}", password: "{password}", token: "{token}"}
        expect: 302
    actions:
      - name: read
        weight: 80
        get: /read
      - name: latest
        weight: 5
        get: /latest.json
        capture: {newest: {json: /topics/0/id}}
      - name: reply
        weight: 20
        steps:
          - get: /new
            capture: {token: {match: 'name="token" value="([^"]+)"', html: true}}
            think: 0.1ms..1ms
          - post: /posts
            form: {text: "{text} & {number}", token: "{token}"}
            expect: [302, 303]
            capture: {place: {header: Location, match: '/posts/(\\d+)'}}
          - get: /posts/{place}
  YAML
  USERS = "login,password\nanna,anna!\n\"be,rta\",\"be,rta!\"\n\"c\"\"ä\",\"c\"\"ä!\"\n"

  # What the command says of that scenario at that forum.
  def load(forum, *argv, scenario: FORUM, users: USERS)
    with_files("forum.yml" => scenario, "users.csv" => users) do |folder|
      file = File.join(folder, "forum.yml")
      return mohs("load", "127.0.0.1:#{forum.port}", "--scenario", file, *argv, driver: DRIVER)
    end
  end

  def steps(document) = document[:scenario][:steps].to_h { |step| [step[:request], step] }

  test "each client logs in once, and every post lands once with a valid token" do
    Mohs::Forum.open do |forum|
      output = load(forum, "-c", "3", "-n", "300", "--json", "--quiet")
      document = output.json

      assert_equal 0, output.status, output.err
      assert_equal ["anna", "be,rta", "c\"ä"], forum.logins.sort
      assert_equal 0, forum.refused
      posts = steps(document)["POST /posts"]
      assert_equal posts[:good], forum.posts.size
      assert_equal forum.posts, forum.posts.uniq
      assert(forum.posts.all? { |text| text.match?(/\A[a-z]{12} & \d+\z/) })
      assert_equal document[:scenario][:actions], { asked: 300, begun: 300, finished: 300 }
      assert_equal 3, document[:scenario][:logins]
      assert_empty Mohs::JSONContract.new("`load`").faults(document)
    end
  end

  test "a scenario that takes its time is held against a server that does nothing, too" do
    skip "there is one core" if Mohs::Process::CpuSet.available.size < 2
    Mohs::Forum.open do |forum|
      document = load(forum, "-c", "2", "-d", "250ms", "--json", "--quiet").json

      check = document[:checks].find { |one| one[:name] == "headroom" }
      assert_operator check[:values][:times], :>, 0
      assert_operator document[:pulse][:empty_per_s], :>, 0
    end
  end

  test "what is told of each step is what the server saw, by the weights" do
    Mohs::Forum.open do |forum|
      document = load(forum, "-c", "2", "-n", "400", "--seed", "7", "--json", "--quiet").json
      result = document[:scenario][:steps].map { |step| step[:sent] }
      seen = forum.requests.map { |request| request.sub(%r{/posts/\d+}, "/posts/{place}") }.tally

      assert_equal document[:scenario][:steps].map { |step| seen.fetch(step[:request], 0) }, result
      reads, latest, replies = result.values_at(2, 3, 4)
      assert_equal 400, reads + latest + replies
      assert_in_delta 305, reads, 40 # 80 of 105, far outside chance
      assert_in_delta 76, replies, 35
      again = Mohs::Forum.open do |other|
        load(other, "-c", "2", "-n", "400", "--seed", "7", "--json", "--quiet").json
      end
      assert_equal result, again[:scenario][:steps].map { |step| step[:sent] }
    end
  end

  test "a lost connection is opened again, its client stays who it is, nothing is repeated" do
    Mohs::Forum.open(close_every: 7, drop_every: 5) do |forum|
      document = load(forum, "-c", "3", "-n", "300", "--json", "--quiet").json
      posts = steps(document)["POST /posts"]

      assert_equal 3, forum.logins.size
      assert_equal 0, forum.refused
      assert_equal forum.posts.size, posts[:sent]
      assert_equal forum.posts.size / 5, posts[:errors][:total]
      assert_equal forum.posts, forum.posts.uniq
      assert_equal posts[:good], steps(document)["GET /posts/{place}"][:sent]
      assert_operator document[:connections][:opened], :>, 20
    end
  end

  test "a token that is wrong, and one that is not there, are told by their step" do
    broken = FORUM.sub('{number}", token: "{token}"', '{number}", token: "{token}x"')
    Mohs::Forum.open do |forum|
      output = load(forum, "-c", "2", "-n", "100", scenario: broken)

      assert_equal 1, output.status
      assert_equal 0, forum.posts.size
      sent = output.out[%r{^  reply +POST /posts +(\d+) +0 }, 1]
      assert_match(%r{^    POST /posts: wrong_status #{sent}$}, output.out)
    end
    missing = FORUM.gsub("/posts/(", "/threads/(")
    Mohs::Forum.open do |forum|
      document = load(forum, "-c", "2", "-n", "100", "--json", "--quiet", scenario: missing).json
      posts = steps(document)["POST /posts"]

      assert_equal({ no_capture: posts[:sent] }, posts[:errors][:by_class])
      assert_equal posts[:sent], forum.posts.size
      assert_equal 0, steps(document)["GET /posts/{place}"][:sent]
    end
  end

  test "where a client can't log in, nothing is loaded" do
    Mohs::Forum.open do |forum|
      output = load(forum, "-c", "3", "-n", "100", users: USERS.sub("anna!", "n0t-hers"))

      assert_equal 1, output.status
      assert_match(%r{: 1 of 3 clients .*\(POST /login: wrong_status 1\)},
                   output.err)
      assert_match(/status 422: wrong token or password\. Nothing was loaded$/, output.err)
      assert_equal 2, forum.logins.size
      refute_includes forum.requests, "GET /read"
    end
  end

  test "an open loop begins an action for each arrival, and ends what it began" do
    Mohs::Forum.open do |forum|
      document = load(forum, "-c", "4", "-n", "60", "--rate", "300", "--json", "--quiet").json

      assert_equal 60, document[:open_loop][:offered]
      assert_equal({ asked: 60, begun: 60, finished: 60 }, document[:scenario][:actions])
      assert_equal steps(document)["POST /posts"][:good], forum.posts.size
      assert_equal 0, document[:errors][:total]
    end
  end

  test "the screen has a table of the steps" do
    Mohs::Forum.open do |forum|
      output = load(forum, "-c", "2", "-d", "200ms")

      assert_equal "forum.yml at 127.0.0.1:#{forum.port} · closed loop, 2 connections, 0 s\n",
                   output.err
      assert_match(/^[\d ]+ actions begun, [\d ]+ finished .*right · 2 clients/,
                   output.out)
      assert_match(%r{^  action +step +sent +right +p50 ms +p99$}, output.out)
      assert_match(%r{^  login +POST /login +2 +2 +– +–$}, output.out)
      assert_match(%r{^  read +GET /read +(\d[\d ]*) +\1 +[\d.]+ +[\d.]+$}, output.out)
    end
  end

  # In each form, and the document as the load ended with it.
  def load_and_show(forum, *argv, scenario: FORUM)
    with_files("forum.yml" => scenario, "users.csv" => USERS) do |folder|
      forms = %w[raw csv ndjson hdr].flat_map { |form| ["--#{form}", "load.#{form}"] }
      output = mohs("load", "127.0.0.1:#{forum.port}", "--scenario", "forum.yml", *argv, *forms,
                  driver: DRIVER, dir: folder)
      File.delete(File.join(folder, "forum.yml"))
      yield output, ->(*more) { mohs("show", "load.raw", *more, dir: folder).out },
            ->(form) { File.read(File.join(folder, "load.#{form}")) }
    end
  end

  test "its recording shows the same screen, document and lines, without the scenario's file" do
    [%w[-n 200 -c 3 -t 2], %w[-n 150 -c 3 --rate 2000 --poisson]].each do |argv|
      Mohs::Forum.open(close_every: 9, drop_every: 11) do |forum|
        load_and_show(forum, *argv, "--json") do |output, show, content|
          assert_equal output.out, show.call("--json")
          %w[csv ndjson hdr].each do |form|
            assert_equal content.call(form), show.call("--#{form}", "-")
          end
          sent = output.json[:scenario][:steps].sum { |step| step[:sent] }
          assert_equal sent, content.call("ndjson").lines.size
          assert_equal output.json[:requests][:good],
                       Mohs::HdrLogReader.new(content.call("hdr")).total.total
        end
        load_and_show(forum, *argv) { |output, show, _| assert_equal output.out, show.call }
      end
    end
  end

  test "a capture that fails is an answer in its recording, too" do
    Mohs::Forum.open do |forum|
      missing = FORUM.gsub("/posts/(", "/threads/(")
      load_and_show(forum, *%w[-c 2 -n 100 --json], scenario: missing) do |output, show, _|
        assert_operator output.json[:errors][:by_class][:no_capture], :>, 0
        assert_equal output.out, show.call("--json")
      end
    end
  end

  test "what excludes a scenario is refused" do
    { %w[--get /x] => "in its file", %w[--driver wrk] => "--scenario needs",
      ["--find-rate", "p99 < 1s"] => "excludes --find-rate",
      %w[--driver native -c 0] => "-c" }.each do |argv, reason|
      output = mohs("load", "127.0.0.1:9", "--scenario", "x.yml", *argv, driver: DRIVER)
      assert_equal 2, output.status
      assert_includes output.err, reason
    end
    Mohs::Forum.open do |forum|
      output = mohs("load", "127.0.0.1:#{forum.port}/read", "--scenario", "x.yml", driver: DRIVER)
      assert_match(/paths .*its file/, output.err)
      output = mohs("load", "127.0.0.1:#{forum.port}", "--scenario", "/nowhere.yml", driver: DRIVER)
      assert_match(/No such file or directory .* mohs docs scenario/, output.err)
    end
  end
end
