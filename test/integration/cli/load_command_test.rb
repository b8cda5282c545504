# frozen_string_literal: true

require "test_helper"

# `mohs load` in process, with the real driver against a server in a thread of ours.
class CLILoadCommandTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Served

  NAMED = ->(name: "native", **options) { Mohs::Drivers.fetch(name).new(**options) }

  test "an exact number of requests, told with what came back" do
    served do |port|
      output = load("http://127.0.0.1:#{port}/page", "-n", "200", "-c", "3")

      assert_equal 0, output.status, output.err
      assert_equal "GET /page at 127.0.0.1:#{port} · closed loop, 3 connections, 200 requests\n",
                   output.err
      assert_equal "127.0.0.1:#{port} · GET /page · 3 connections\n", output.out.lines.first
      assert_match(%r{^[\d ]+ requests/s for 0\.\d s: 200 sent, all answered 200 }, output.out)
      assert_match(/^connections 3 asked, 3 opened, 0 lost · 66 to 67 requests each$/, output.out)
      assert_match(/^latency \(service, ms\)   min [\d.]+   p50 /, output.out)
    end
  end

  test "the document has the keys of the contract" do
    served do |port|
      json = load("127.0.0.1:#{port}", "-n", "50", "-c", "2", "--json", "--quiet").json

      assert_equal({ asked: 50, sent: 50, completed: 50, good: 50 }, json[:requests])
      assert_equal %i[kind min p50 p90 p99 p999 max unanswered more_than],
                   json[:latency_ms].keys
      assert_equal({ total: 0, by_class: {}, first_wrong: nil }, json[:errors])
      assert_equal [2, 2, 0], json[:connections].values_at(:asked, :opened, :lost)
      assert_equal 50, json[:histogram].sum { |bar| bar[:count] }
      assert_empty Mohs::JSONContract.new("`load`").faults(json)
    end
  end

  test "a load that is long enough is held against a server that does nothing" do
    served do |port|
      json = load("127.0.0.1:#{port}", "-d", "250ms", "-c", "2", "--json", "--quiet").json

      assert_operator json[:pulse][:empty_per_s], :>, 0
      checks = json[:checks].map { |check| check[:name] }
      assert_empty %w[driver_share event_age headroom] - checks
      assert_empty Mohs::JSONContract.new("`load`").faults(json)
    end
  end

  # As on JRuby, whose queue has 50 places.
  test "a server whose queue of new connections is too short for the load is told" do
    queued = served_one_by_one do |port|
      load("127.0.0.1:#{port}", "--close", "-d", "2s", "-c", "20", "--json", "--quiet").json
    end
    alone = served { |port| load("127.0.0.1:#{port}", "--close", "-n", "50", "--json").json }

    found = [queued, alone].map do |json|
      json[:checks].find { |check| check[:name] == "connects" }.values_at(:code, :level)
    end
    assert_equal [%w[connects.full_queue warn], %w[connects.prompt ok]], found
  end

  # Two connections wait at most.
  def served_one_by_one
    server = Socket.new(:INET, :STREAM)
    server.bind(Addrinfo.tcp("127.0.0.1", 0))
    server.listen(1)
    serving = Thread.new { loop { answer(server.accept.first) } }
    yield server.local_address.ip_port
  ensure
    serving&.kill&.join
    server&.close
  end

  def answer(client)
    client.readpartial(4096)
    sleep 0.002
    client.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
  rescue SystemCallError, EOFError
    nil
  ensure
    client.close
  end

  test "batches are asked for as one number, and each is told" do
    served do |port|
      output = load("127.0.0.1:#{port}", "--batches", "12x20", "-c", "3", "-t", "3")
      assert_equal 0, output.status, output.err
      assert_match(/ · closed loop, 3 connections, 12 x 20 requests$/, output.err)
      assert_match(%r{ s: 240 sent, .*\n12 batches of 20 +first .* last\n +answered/s .*\n +p50}m,
                   output.out)

      json = load("127.0.0.1:#{port}", "--batches", "4x25", "-c", "2", "--json", "--quiet").json
      assert_equal [25] * 4, json[:batches].map { |batch| batch[:requests] }
      assert_equal 100, json[:requests][:asked]
      assert_in_delta json[:duration_s], json[:batches].sum { |batch| batch[:duration_s] }, 1e-3
      assert_empty Mohs::JSONContract.new("`load`").faults(json)
    end
  end

  test "a connection for each request, where that is asked for" do
    closing = OK.sub("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    served(->(_) { closing }) do |port|
      url = "127.0.0.1:#{port}"
      output = load(url, "-n", "30", "-c", "3", "--close")
      assert_equal 0, output.status, output.err
      assert_match(/ · closed loop, 3 connections, .*per request, 30 requests$/, output.err)
      assert_match(/^connections 3 asked, 30 opened, 0 lost · 10 to 10 requests each$/, output.out)

      json = load(url, "-d", "250ms", "-c", "2", "--close", "--json", "--quiet").json
      assert_equal "asked", json[:keep_alive]
      assert_equal json[:requests][:sent], json[:connections][:opened]
      assert_operator json[:pulse][:empty_per_s], :>, 0
      assert_empty Mohs::JSONContract.new("`load`").faults(json)
    end
  end

  test "mohs closes each connection itself, by FIN or reset, from the addresses that are named" do
    served do |port|
      %w[fin rst].each do |how|
        output = load("127.0.0.1:#{port}", "-n", "30", "-c", "3", "--close=#{how}", "--json",
                    "--source-addresses", "127.0.0.2,127.0.0.3")
        assert_equal [0, how, 30],
                     [output.status, output.json[:keep_alive], output.json[:connections][:opened]]
      end
    end
    { %w[--close=never] => /--close=never: .*--close, --close=fin .*--close=rst\./,
      %w[--source-addresses 192.0.2.7] => /192\.0\.2\.7 .*address/ }
      .each do |options, message|
        output = load("127.0.0.1:1", *options)
        assert_equal 2, output.status
        assert_match(/\Amohs: #{message}/, output.err)
      end
  end

  test "another tool makes the load, told in the same words" do
    skip "wrk is not installed" unless system("which", "wrk", out: File::NULL)
    served do |port|
      url = "127.0.0.1:#{port}/page"
      output = load(url, "-d", "1s", "-c", "3", "--driver", "wrk", driver: NAMED)

      assert_equal 0, output.status, output.err
      assert_equal "GET /page at 127.0.0.1:#{port} · closed loop, 3 connections, 1 s, by wrk\n",
                   output.err
      assert_match(%r{^[\d ]+ requests/s for 1\.\d s: – sent, [\d ]+ answered 200\.$}, output.out)
      assert_match(/^latency \(service, ms\)   min –   p50 [\d.]+ .* p99\.9 –   max /, output.out)
      refute_match(/^connections/, output.out)
      assert_match(/^wrk [\d.]+ % of its core/, output.out)
      assert_match(/^peer: wrk .*samples/, output.out)
    end
  end

  test "what another tool can't do is refused before it starts" do
    served do |port|
      url = "127.0.0.1:#{port}"
      { %w[-n 10 --driver wrk] => "wrk can't do an exact number",
        %w[--rate 5 -n 20 --driver hey] => "hey can't do an open loop. ",
        %w[--driver mock] => "mock sends nothing: ", %w[--driver wkr] => 'unknown driver "wkr".',
        %w[--driver native -n 5] => nil }.each do |options, message|
        output = load(url, *options, "--quiet", driver: NAMED)
        assert_equal message ? 2 : 0, output.status
        assert_operator output.err, :start_with?, "mohs: #{message}" if message
      end
    end
  end

  test "a secret header is not given to a tool that would show it to other users" do
    with_files("cookie" => "Cookie: a=s3cr3t\n", "plain" => "Accept: text/html\n") do |folder|
      served do |port|
        outputs = %w[cookie plain].map do |name|
          load("127.0.0.1:#{port}", "-n", "9", "--driver", "ab", "--quiet", "--header-file",
               File.join(folder, name), driver: NAMED)
        end

        assert_equal 2, outputs.first.status
        assert_match(/\Amohs: ab .*headers .*other users/, outputs.first.err)
        refute_match(/headers/, outputs.last.err)
      end
    end
  end

  test "answers that turn wrong are counted by class, and end with 1" do
    count = 0
    answer = lambda do |_|
      count += 1
      count > 20 ? OK.sub("200 OK", "500 Oh") : OK
    end
    served(answer) do |port|
      output = load("127.0.0.1:#{port}", "-n", "60", "-c", "1")

      assert_equal 1, output.status, output.err
      assert_match(/: 60 sent, 1\d answered 200 with the same 2 bytes\.$/, output.out)
      assert_match(/^errors 4\d: .*status/, output.out)
      assert_match(/^the first wrong .*status 500 .*"ok"$/, output.out)
    end
  end

  test "what can't be measured is explained before there is load" do
    redirect = "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n"
    served(->(_) { redirect }) do |port|
      output = load("127.0.0.1:#{port}")

      assert_equal 1, output.status
      assert_includes output.err, "returned 302 to /login"
      assert_empty output.out
    end
  end

  test "several requests are mixed" do
    seen = Queue.new
    served(->(line) { OK.tap { seen << line.split[0, 2].join(" ") } }) do |port|
      output = load("127.0.0.1:#{port}", "-n", "30", "-c", "1", "--get", "/a", "--weight", "2",
                  "--post", "/b", "--quiet")

      assert_equal 0, output.status, output.err
      assert_equal ["GET /a", "POST /b"], Array.new(seen.size) { seen.pop }.uniq.sort
    end
  end

  test "an open loop sends at its rate and tells response and service times" do
    served do |port|
      output = load("127.0.0.1:#{port}", "--rate", "200", "-d", "300ms", "-c", "3")

      assert_equal 0, output.status, output.err
      assert_match(/ · open loop, 200 requests\/s due, 3 connections, 0 s$/, output.err)
      assert_match(/: 60 sent, all answered 200/, output.out)
      assert_match(/^latency \(response, ms\).*\n.*latency \(service, ms\)/, output.out)
      assert_match(/^  from ms    answers  share\n +[\d.]+ +\d+ +[\d.]+ %   [█▏▎▍▌▋▊▉]/, output.out)
      assert_match(/^200 requests\/s due · \d+ waited/, output.out)
    end
  end

  test "its document has the keys of the contract" do
    served do |port|
      json = load("127.0.0.1:#{port}", "--rate", "500.5", "--poisson", "--seed=4", "-n", "40",
                  "--json", "--quiet").json

      assert_equal ["response", "service", 500.5],
                   [json[:latency_ms][:kind], json[:service_ms][:kind], json[:offered_per_s]]
      assert_equal ["poisson", 40, 0], json[:open_loop].values_at(:arrivals, :offered, :unsent)
      assert_operator json[:latency_ms][:max], :>=, json[:service_ms][:max]
      assert_equal %w[offered_rate],
                   json[:checks].map { |check| check[:name] } & %w[little_law offered_rate]
      assert_empty Mohs::JSONContract.new("`load`").faults(json)
    end
  end

  test "steps have a line and a row each, and their sum is the whole" do
    served do |port|
      url = "127.0.0.1:#{port}"
      output = load(url, "--rate", "100,300..500", "-d", "400ms", "-c", "2")
      assert_equal 0, output.status, output.err
      assert_match(%r{ · open loop, 100, 300 to 500 requests/s due, 2 connections, 0 s$},
                   output.err)
      assert_match(/: 100 sent, all answered 200/, output.out)
      assert_match(%r{^  requests/s due  answered/s .*\n +100 .*\n +300 to 500 }, output.out)

      json = load(url, "--rate", "100,300..500", "-d", "400ms", "--json", "--quiet").json
      assert_equal [[100, nil, 20], [300, 500, 80]],
                   json[:steps].map { |step| step.values_at(:rate_per_s, :to_per_s, :offered) }
      assert_equal [100, nil], [json[:requests][:good], json[:open_loop][:rate_per_s]]
      assert_empty Mohs::JSONContract.new("`load`").faults(json)
    end
  end

  test "given times and bursts, on connections that grow" do
    served(->(_) { sleep(0.05) && OK }) do |port|
      Dir.mktmpdir do |dir|
        File.write(path = File.join(dir, "times"), "0\n0\n0\n0.1\n")
        json = load("127.0.0.1:#{port}", "--times", path, "-c", "1", "--max-connections", "3",
                    "--spin", "--json", "--quiet").json
        assert_equal ["times", nil, 4], json[:open_loop].values_at(:arrivals, :rate_per_s, :offered)
        assert_equal [1, 3], json[:connections].values_at(:asked, :opened)
        assert_empty Mohs::JSONContract.new("`load`").faults(json)
      end
      output = load("127.0.0.1:#{port}", "--rate", "20", "--burst", "2", "-n", "4")
      assert_match(%r{^20 requests/s due, 2 at once · }, output.out)
    end
  end

  test "a rate that is none is refused" do
    [%w[--rate 0], %w[--rate many], %w[--rate Infinity], %w[--poisson]].each do |options|
      output = load("127.0.0.1:1", *options)

      assert_equal 2, output.status
      assert_match(/--rate/, output.err)
    end
  end

  test "an address of IPv6 is one too" do
    served(host: "::1") do |port|
      target = Mohs::LoadRun::Server.parse("http://[::1]:#{port}/")
      assert_equal ["::1", "[::1]:#{port}"], [target.host, target.to_s]
    end
  end

  test "after Ctrl-C there is what was measured until then, and 130" do
    served do |port|
      output = load("127.0.0.1:#{port}", "-d", "30s", "-c", "1", err: Impatient.new)

      assert_equal 130, output.status
      assert_match(/ sent, (?:all|[\d ]+) answered 200 with the same 2 bytes/, output.out)
    end
  end

  test "on a terminal the load is followed in one line, which is wiped" do
    served do |port|
      err = Terminal.new
      output = load("127.0.0.1:#{port}", "-d", "600ms", "-c", "1", err:)

      assert_equal 0, output.status
      assert_match(%r{\r +0\.\d s +[\d ]+/s   [▁-█] +p50 [\d.]+ +p99 .* ms   errors 0}, output.err)
      assert_operator output.err, :end_with?, "\r\e[K"
    end
  end
end
