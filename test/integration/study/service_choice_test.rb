# frozen_string_literal: true

require "test_helper"

# Whether anything listens where an application's configuration says that a service is.
class ServiceChoiceReachTest < Mohs::TestCase
  REACH = Mohs::Study::ServiceChoice::REACH

  test "a service is there by TCP, or by a socket where its clients look for one" do
    postgresql, redis = %w[postgresql redis].map { |name| Mohs::Services.fetch(name) }
    with_files do |folder|
      socket = UNIXServer.new(File.join(folder, ".s.PGSQL.5433"))
      server = TCPServer.new("127.0.0.1", 0)
      port = server.addr[1]

      assert REACH.call(postgresql, folder, "5433")
      refute REACH.call(postgresql, folder, "5434")
      assert REACH.call(postgresql, "localhost", port.to_s)
      assert REACH.call(redis, nil, port)
      [socket, server].each(&:close)
      refute REACH.call(postgresql, folder, "5433")
      refute REACH.call(redis, "127.0.0.1", port)
      refute REACH.call(postgresql, nil, port)
    ensure
      [socket, server].compact.reject(&:closed?).each(&:close)
    end
  end
end
