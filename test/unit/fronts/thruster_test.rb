# frozen_string_literal: true

require "test_helper"

class ThrusterTest < Mohs::TestCase
  Bind = Mohs::Servers::Bind
  Thruster = Mohs::Fronts::Thruster

  test "what it does beside passing requests on is off, whatever the person's environment says" do
    env = launch.env

    names = %w[HTTP_PORT TARGET_PORT CACHE_SIZE GZIP_COMPRESSION_ENABLED LOG_REQUESTS
               HTTP_IDLE_TIMEOUT]

    assert_equal %w[20001 20002 0 0 0 3600], env.values_at(*names.map { |one| "THRUSTER_#{one}" })
    assert_equal [nil, nil], env.fetch_values("TLS_DOMAIN", "THRUSTER_TLS_DOMAIN")
  end

  test "the command that it starts is none of ours" do
    assert_equal [%w[sleep infinity], "thruster", "thrust"],
                 [launch.args, launch.gem, launch.executable]
  end

  test "its version is that of the gem that its program lies in" do
    versions = { "/g/gems/thruster-0.1.22-x86_64-linux/exe/x86_64-linux/thrust" => "0.1.22",
                 "/g/gems/thruster-0.1.22/exe/thrust" => "0.1.22",
                 "/g/gems/thruster-1.0.0.pre1-aarch64-linux/exe/thrust" => "1.0.0.pre1",
                 "/usr/local/bin/thrust" => nil, "/thruster-x/exe/thrust" => nil }

    assert_equal versions, versions.to_h { |path, _| [path, Thruster.version(path)] }
  end

  private

  def launch
    bind, upstream = [20_001, 20_002].map { |port| Bind.new(host: "127.0.0.1", port:) }
    Thruster.new(Mohs::Fronts::Settings.new(bind:, upstream:, folder: "/scratch/front")).launch
  end
end
