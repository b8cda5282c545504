# frozen_string_literal: true

require "test_helper"

# apps/chat under Puma, with what mohs load --cable sends.
class ChatAppTest < Mohs::TestCase
  APP = File.join(Mohs.root, "apps/chat")
  CONNECTIONS = 6

  # Yields its port.
  def boot(processes:, **env)
    Dir.mktmpdir("mohs-test") do |folder|
      ruby = Mohs::Rubies.find(RbConfig.ruby)
      env = { "TMPDIR" => folder, **env.transform_keys(&:to_s) }
      process = Mohs::AppProcess.new(dir: APP, ruby:, env:, processes:)
      process.run(folder) { |port, _| yield port }
    end
  end

  def join(port, channel, **options)
    cable = Mohs::Http::Cable.parse(channel, **options.slice(:action))
    more = cable.headers("127.0.0.1:#{port}")
    plain = Mohs::Load::Request.new(path: Mohs::Http::Cable::PATH)
    requests = [Mohs::Load::Streams.request(plain, websocket: true, more:)]
    target = Mohs::Load::Target.new(name: "chat", host: "127.0.0.1", port:, requests:,
                                    connections: CONNECTIONS)
    streams = Mohs::Load::Streams.new(target, duration_s: 2, open_per_s: 12, websocket: true,
                                              cable:, **options.except(:action))
    streams.run
    streams.result
  end

  def said(port, channel = "ChatChannel")
    messages = Mohs::Load::Arrivals.new(kind: :constant, rate_per_s: 20)
    join(port, channel, action: "say", fan_out: true, messages:)
  end

  # All have heard everything, but for so many messages at most.
  def check(result, lost: 0)
    counts = result.messages

    assert_equal [CONNECTIONS, 0, {}], [result.opened, result.dropped, result.errors]
    assert_operator counts[:sent], :>=, 15
    assert_equal 0, counts[:repeated]
    assert_includes 0..lost, counts[:sent] - counts[:received]
    assert_operator result.fan_out.due, :>=, 5 * counts[:sent]
    assert_includes 0..(lost * CONNECTIONS), result.fan_out.due - result.fan_out.came
  end

  test "what one says in a room comes to all in it" do
    boot(processes: 1) do |port|
      page = Mohs::Http::Client.new(port:).ask(Mohs::App::Request.build(path: "/"))

      assert_equal [200, "chat by async\n"], [page.status, page.body]
      check(said(port))
      tea = said(port, '{"channel":"ChatChannel","room":"tea"}')
      check(tea)
      messages = Mohs::Load::Arrivals.new(kind: :constant, rate_per_s: 20)
      echoed = join(port, "ChatChannel", action: "echo", messages:)
      assert_equal echoed.messages[:sent], echoed.messages[:received]
    end
  end

  slow_test "Solid Cable brings it to those at other processes" do
    boot(processes: 2, CHAT_ADAPTER: "solid_cable") { |port| check(said(port)) }
  end

  # Of two connections that join one room at the same moment, ActionCable confirms the second before
  # Redis has confirmed the process's subscription, and what is said meanwhile is lost.
  slow_test "so does Redis" do
    skip "no redis-server" if Mohs::Services.fetch("redis").refusal

    Dir.mktmpdir("mohs-test") do |folder|
      redis(folder) do |url|
        boot(processes: 2, CHAT_ADAPTER: "redis", REDIS_URL: url) do |port|
          check(said(port), lost: 3)
        end
      end
    end
  end

  # Yields its URL.
  def redis(folder)
    socket = File.join(folder, "redis.sock")
    pid = ::Process.spawn("redis-server", "--port", "0", "--unixsocket", socket, "--save", "",
                          chdir: folder, out: File::NULL)
    sleep 0.01 until File.socket?(socket)
    yield "unix://#{socket}"
  ensure
    ::Process.kill("TERM", pid)
    ::Process.wait(pid)
  end
end
