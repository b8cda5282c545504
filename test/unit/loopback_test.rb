# frozen_string_literal: true

require "test_helper"

class LoopbackTest < Mohs::TestCase
  HERE = %w[localhost 127.0.0.1 127.1.2.3 ::1 [::1]].freeze
  ELSEWHERE = ["10.0.0.1", "0.0.0.0", "127.0.0.1.example.org", "localhost.example.org", "::2", "",
               "2001:db8::ffff:7f00:1", nil].freeze

  test "takes names and addresses of loopback for this machine" do
    assert_equal HERE, HERE.select { |host| Mohs::Loopback.host?(host) }
  end

  test "takes everything else for another machine, names that begin so too" do
    assert_equal ELSEWHERE, ELSEWHERE.reject { |host| Mohs::Loopback.host?(host) }
  end

  test "tells addresses apart" do
    assert Mohs::Loopback.address?(Addrinfo.tcp("127.0.0.9", 80))
    assert Mohs::Loopback.address?(Addrinfo.tcp("::1", 80))
    refute Mohs::Loopback.address?(Addrinfo.tcp("192.0.2.1", 80))
  end
end
