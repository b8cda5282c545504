# frozen_string_literal: true

require "test_helper"

class NginxTest < Mohs::TestCase
  Bind = Mohs::Servers::Bind
  TCP = Bind.new(host: "127.0.0.1", port: 20_002).freeze

  test "one worker for each core, with room for the load's connections on both sides" do
    text = config(connections: 100, cores: 3)

    assert_match(/^worker_processes 3;$/, text)
    assert_match(/worker_connections 264;/, text)
    assert_match(/^    keepalive 100;$/, text)
  end

  test "the server's socket is the upstream, or its port" do
    socket = config(upstream: Bind.new(unix: "/scratch/socket"))

    assert_match(%r{^    server unix:/scratch/socket;$}, socket)
    assert_match(/^    server 127.0.0.1:20002;$/, config)
  end

  test "it reads and writes nothing outside of its folder, and logs no requests" do
    launch = front.launch

    assert_equal ["-p", "/scratch/front/", "-c", "/scratch/front/nginx.conf", "-e", "stderr"],
                 launch.args
    assert_equal ["/scratch/front/nginx.conf"], launch.files.keys
    paths = config.scan(/^ *(?:pid|\w+_temp_path) (\S+);$/).flatten
    assert_equal 6, paths.size
    assert(paths.none? { |path| path.include?("/") })
    assert_match(/access_log off;/, config)
    refute_match(/include|gzip|proxy_cache/, config)
  end

  test "workers stay the user who started it: root's would else become another" do
    root = Process.euid.zero?

    assert_equal root, config.match?(/^user root \w+;$/)
  end

  private

  def front(**changes)
    given = { bind: Bind.new(host: "127.0.0.1", port: 20_001), upstream: TCP, connections: 4,
              cores: 1, folder: "/scratch/front" }
    Mohs::Fronts::Nginx.new(Mohs::Fronts::Settings.new(**given, **changes))
  end

  def config(**changes) = front(**changes).launch.files.values.first
end
