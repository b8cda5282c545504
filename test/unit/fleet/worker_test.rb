# frozen_string_literal: true

require "test_helper"

class FleetWorkerTest < Mohs::TestCase
  Worker = Mohs::Fleet::Worker

  test "a session notices soon that its host or network is gone, and keeps what its URL says" do
    plain = Worker.with_keepalives("postgres://lab@db/lab")
    assert_equal "postgres://lab@db/lab?keepalives=1&keepalives_idle=5&keepalives_interval=2&" \
                 "keepalives_count=3&tcp_user_timeout=7000", plain
    given = Worker.with_keepalives("postgres:///lab?host=/tmp/x&keepalives_idle=60&sslmode=require")
    assert_includes given, "?host=/tmp/x&keepalives_idle=60&sslmode=require&keepalives=1&"
    refute_includes given, "keepalives_idle=5"
  end

  test "the server watches its side, unless the environment says otherwise" do
    env = { "PGOPTIONS" => "-c tcp_keepalives_idle=60" }
    Worker.enable_server_keepalives(env)

    assert_equal "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 " \
                 "-c tcp_keepalives_count=3 -c tcp_user_timeout=7000 " \
                 "-c tcp_keepalives_idle=60", env["PGOPTIONS"]
  end

  test "it works on the queue of its host and on that of its kind" do
    with_files do |dir|
      store = Mohs::Store.open(File.join(dir, "mohs.db"))
      worker = Worker.new(store:, url: "", name: "a")
      kind = Mohs::Fleet.queue_of_kind(Mohs::Probes::Host.fingerprint)

      assert_equal ["host_a", kind], worker.queues
      error = assert_raises(Mohs::EnvironmentError) { worker.call { nil } }
      assert_includes error.message, "MOHS_DATABASE_URL=postgres://"
      assert_empty store.hosts
    ensure
      store&.close
    end
  end
end
