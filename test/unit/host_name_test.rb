# frozen_string_literal: true

require "test_helper"

class HostNameTest < Mohs::TestCase
  HostName = Mohs::HostName

  test "only IPv6 is in brackets, and only once" do
    hosts = ["::1", "[::1]", "127.0.0.1", "lab.example"]

    assert_equal ["[::1]:80", "[::1]:80", "127.0.0.1:80", "lab.example:80"],
                 hosts.map { |host| HostName.at(host, 80) }
    assert_equal ["::1", "::1", "127.0.0.1", "lab.example"],
                 hosts.map { |host| HostName.bare(host) }
  end
end
