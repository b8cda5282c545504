# frozen_string_literal: true

require "test_helper"
require "support/postgres"
require "uri"

# Passwords and parameters of a URL, on their way to a server that checks them.
class FleetLoginTest < Mohs::TestCase
  PASSWORD = "p@ss:w/rd% #?é"
  START_S = 60

  def setup
    skip Mohs::PostgresCluster.missing if Mohs::PostgresCluster.missing

    @cluster = Mohs::PostgresCluster.at("127.0.0.1")
    @folder = Dir.mktmpdir("mohs-test")
    demand_password
  end

  def teardown
    @cluster&.stop
    FileUtils.rm_rf(@folder) if @folder
  end

  def demand_password
    PG.connect(host: @cluster.folder, user: "mohs", dbname: "postgres",
               port: Mohs::PostgresCluster::PORT) do |session|
      session.exec("ALTER USER mohs PASSWORD #{session.escape_literal(PASSWORD)}")
      rules = File.join(@cluster.folder, "data/pg_hba.conf")
      File.write(rules, "local all all trust\nhost all all 127.0.0.0/8 scram-sha-256\n")
      session.exec("SELECT pg_reload_conf()")
    end
    sleep 0.5
  end

  def url(password, query = "")
    secret = URI.encode_www_form_component(password).gsub("+", "%20")
    "postgres://mohs:#{secret}@127.0.0.1:#{Mohs::PostgresCluster::PORT}/postgres#{query}"
  end

  def command(url) = Mohs::MohsCommand.new(@folder, env: { "MOHS_DATABASE_URL" => url })

  test "a worker logs in with a password that has to be percent-encoded, and with options" do
    worker = command(url(PASSWORD, "?options=-c%20statement_timeout%3D0&sslmode=prefer"))
    pid = worker.start("worker", "--name", "a", "--noisy")
    deadline = Mohs::Clock.deadline(START_S)
    sleep 0.2 until worker.output.include?("waiting for work") || ended?(pid) ||
                    Mohs::Clock.mono_ns > deadline

    assert_includes worker.output, "waiting for work"
    refute_includes worker.output, "mohs:"
  ensure
    ::Process.kill(:TERM, pid) && ::Process.wait(pid) if pid && !@ended
  end

  def ended?(pid) = @ended ||= ::Process.wait(pid, ::Process::WNOHANG)

  # systemd starts it again after any other status.
  test "a login that is refused ends a worker with a status that systemd takes for a refusal" do
    refused = command(url("wrong")).call("worker", "--name", "a", "--noisy")

    assert_equal 4, refused.status.exitstatus, refused.err
    assert_match(%r{mohs:\*\*\*@127\.0\.0\.1:\d+/postgres refuses the login\.}, refused.err)
    refute_includes refused.err, "wrong@"
  end

  test "a session of the queue that can't begin is not called lost" do
    store = Mohs::Store.open(url(PASSWORD))
    worker = Mohs::Fleet::Worker.new(store:, url: url("wrong"), name: "a")
    own = ENV["PGOPTIONS"]
    error = assert_raises(Mohs::StoreAccessError) { worker.call { flunk "it works" } }

    assert_match(/\Athe database session .*: .*authentication failed/,
                 error.message)
    assert_empty store.hosts
  ensure
    ENV["PGOPTIONS"] = own
    store&.close
  end

  test "parameters of the URL hold for the store's own sessions, and unknown ones are refused" do
    error = assert_raises(Mohs::StoreError) do
      Mohs::Store.open(url(PASSWORD, "?channel_binding=require"))
    end
    assert_match(/channel binding/, error.message)

    store = Mohs::Store.open(url(PASSWORD, "?application_name=lab&options=-c%20work_mem%3D5MB"))
    setting = ->(name) { store.beside { |one| one.get(Sequel.function(:current_setting, name)) } }
    assert_equal %w[lab 5MB], %w[application_name work_mem].map(&setting)
    error = assert_raises(Mohs::StoreError) do
      Mohs::Store.open(url(PASSWORD, "?search_path=lab"))
    end
    assert_match(/parameter search_path.*libpq/, error.message)
  ensure
    store&.close
  end
end
