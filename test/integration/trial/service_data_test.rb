# frozen_string_literal: true

require "test_helper"

# Private services as a trial has them: real instances, each with data of its own.
class ServiceDataTest < Mohs::TestCase
  # As Mock, but it never gets ready.
  class Broken < Mohs::Services::Mock
    def start = ruby("-e", "warn 'no room'; exit 3")
    def initialise = []
  end

  # As Mock, but its disk is full, as MariaDB says it.
  class Full < Broken
    def start
      ruby("-e", "warn '[ERROR] InnoDB: preallocating 9 bytes for file ./ib_logfile101 failed " \
                 "with error 28', '[ERROR] Plugin InnoDB failed', '[ERROR] Aborting'; exit 1")
    end
  end

  # As Mock, with MariaDB's last words: the first of them is the reason.
  class Failing < Broken
    def start
      ruby("-e", "warn '1 0 [ERROR] Unknown option --x', '1 0 [ERROR] Aborting'; exit 1")
    end
  end

  # As Mock, but its log says nothing.
  class Silent < Mohs::Services::Mock
    READY = nil
    def listening = Addrinfo.unix(path("socket"))
  end

  # Yields what starts the services named. Whatever becomes of them, nothing is left.
  def with_data
    started = []
    Mohs::Trial::ServiceData.with do |data|
      start = lambda do |*services, **options|
        started << data.start(Mohs::ServiceSetup.new(services:, **options), cpus: nil)
        started.last
      end
      yield start
    ensure
      pids = started.flat_map(&:pids)
      started.each(&:stop)
      assert_empty(pids.select { |pid| File.exist?("/proc/#{pid}") })
    end
  end

  def skip_without(name)
    refusal = Mohs::Services.fetch(name).refusal
    skip refusal.to_s if refusal
  end

  test "data are made once and copied for each server" do
    with_data do |start|
      sets = Array.new(2) { start.call("mock") }
      folders = sets.map { |set| set.env.fetch("MOCK_URL")[%r{mock://(.+)/socket/mohs}, 1] }

      assert_equal 2, folders.uniq.size
      assert_equal ["initialised+mohs+mohs_cache"],
                   folders.map { |folder| File.read(File.join(folder, "data")) }.uniq
      assert(folders.all? { |folder| File.stat(folder).mode & 0o777 == 0o700 })
      assert_equal [{ service: "mock", version: "1.0", settings: { "mode" => "test" },
                      address: "unix" }], sets.first.facts
      @folder = File.dirname(folders.first)
      assert_equal %w[1 2 3], Dir.children(@folder).grep(/\A\d+\z/).sort
    end
    refute_path_exists @folder
  end

  test "the data of a server are gone once its services are stopped; those to copy stay" do
    with_data do |start|
      assert_raises(Mohs::TrialError) { start.call("mock", task: "exit 1") }
      sets = Array.new(2) { start.call("mock") }
      folder = sets.first.env.fetch("MOCK_URL")[%r{mock://(.+)/\d+/socket/mohs}, 1]
      sets.first.stop

      assert_equal %w[3 3.log 5 5.log], Dir.children(folder).grep(/\A\d/).sort
    end
  end

  test "an application that prepares its data does so once, and each server gets a copy" do
    task = 'path = ENV["MOCK_URL"][%r{mock://(.+)/socket}, 1]; ' \
           'File.write("#{path}/data", "+prepared #{rand}", mode: "a")'
    with_data do |start|
      data = Array.new(2) do
        folder = start.call("mock", task:).env.fetch("MOCK_URL")[%r{mock://(.+)/socket}, 1]
        File.read(File.join(folder, "data"))
      end

      assert_match(/\Ainitialised\+prepared [\d.]+\z/, data.first)
      assert_equal 1, data.uniq.size
    end
  end

  test "what a preparation changes in the application's folder is by that" do
    by = [false, true].map do |own|
      with_files("config.ru" => "") do |dir|
        changes = Mohs::App::FolderChanges.new(dir)
        task = "File.write(#{File.join(dir, 'schema.rb').dump}, '')"
        Mohs::Trial::ServiceData.with(changes:) do |data|
          data.start(Mohs::ServiceSetup.new(services: %w[mock], task:, own:, dir:), cpus: nil).stop
        end
        File.write(File.join(dir, "log"), "")
        changes.call.to_h { |one| one.values_at(:path, :by) }
      end
    end

    assert_equal [{ "schema.rb" => "db:prepare", "log" => nil },
                  { "schema.rb" => "--prepare", "log" => nil }], by
  end

  test "a command of the user's finds its databases" do
    task = 'path = ENV["MOCK_URL"][%r{mock://(.+)/socket}, 1]; ' \
           'File.write("#{path}/data", "+filled", mode: "a")'
    with_data do |start|
      folder = start.call("mock", task:, own: true).env.fetch("MOCK_URL")[%r{mock://(.+)/socket}, 1]
      assert_equal "initialised+mohs+mohs_cache+filled", File.read(File.join(folder, "data"))
    end
  end

  # Fat Free CRM asks for a table whenever it is loaded, also for its db:prepare.
  test "an application that can't be loaded without its database finds it empty" do
    task = 'file = "#{ENV["MOCK_URL"][%r{mock://(.+)/socket}, 1]}/data"; ' \
           'there = File.read(file).include?("+mohs"); ' \
           'abort "rake aborted!\nActiveRecord::NoDatabaseError: We could not" unless there; ' \
           'File.write(file, "+prepared", mode: "a")'
    with_data do |start|
      never = "abort 'ActiveRecord::NoDatabaseError: x'"
      error = assert_raises(Mohs::TrialError) { start.call("mock", task: never) }
      assert_includes error.message, "NoDatabaseError"
      folder = start.call("mock", task:).env.fetch("MOCK_URL")[%r{mock://(.+)/socket}, 1]

      assert_equal "initialised+mohs+mohs_cache+prepared", File.read(File.join(folder, "data"))
    end
  end

  test "what could not be prepared is told with its reason and its log, and tried again" do
    task = 'warn "connecting\nrake aborted!\nno such column: blurb\nx.rb:1\nCaused by:\nmore"' \
           "; exit 1"
    with_data do |start|
      errors = Array.new(2) { assert_raises(Mohs::TrialError) { start.call("mock", task:) } }

      assert_equal ["db:prepare failed (exit 1): no such column: blurb", "prepare_failed"],
                   errors.last.reason.to_h.values_at(:summary, :code)
      assert_match(/without its seeds: --prepare "bin.rails db:schema:load",/,
                   errors.last.reason.remedy)
      assert_equal [:refused, "connecting\nrake aborted!\nno such column: blurb\nx.rb:1\n"],
                   [errors.first.state, errors.first.log_tail]
      known = 'warn "rake aborted!\nMissing `secret_key_base` for"; exit 1'
      error = assert_raises(Mohs::TrialError) { start.call("mock", task: known) }
      assert_equal "db:prepare failed (exit 1): Rails needs a secret", error.reason.summary
      assert_match(/SECRET_KEY_BASE/, error.reason.remedy)
    end
  end

  # Its advice would be what has just failed.
  test "what Sequel misses in a database is no reason to prepare it" do
    logs = %w[tables_missing_in_sequel database_missing_in_sequel].map do |name|
      File.expand_path("../../fixtures/troubles/#{name}.log", __dir__)
    end
    with_data do |start|
      remedies = logs.map do |path|
        task = "warn File.read(#{path.dump}); exit 1"
        error = assert_raises(Mohs::TrialError) { start.call("mock", task:, own: true, dir: path) }
        error.reason.remedy
      end
      assert_equal [nil, nil], remedies
    end
  end

  test "a command of the user's that fails runs once, and ends with the budget" do
    with_data do |start|
      task = "warn rand; exit 1"
      errors = Array.new(2) do
        assert_raises(Mohs::TrialError) { start.call("mock", task:, own: true) }
      end
      assert_equal 1, errors.map(&:log_tail).uniq.size
      # Another revision's command may succeed.
      start.call("mock", task: "exit", own: true, dir: "/srv/other")
    end
    with_data do |start|
      error = assert_raises(Mohs::TrialError) do
        start.call("mock", task: "sleep", own: true, budget_s: 0.5)
      end
      assert_equal ["prepare_unfinished", 0.5], [error.reason.code, error.reason.values[:limit_s]]
      assert_match(/ was not done within 0.5 s, and was ended\z/, error.reason.summary)
    end
  end

  test "a command of the user's that fails under one Ruby may succeed under another" do
    with_data do |start|
      fail = { task: "exit 1", own: true, ruby: "3.4.5" }
      assert_raises(Mohs::TrialError) { start.call("mock", **fail) }
      start.call("mock", task: "exit", own: true, ruby: "3.3.8")

      # Its data are for all, also for the Ruby that could not make them.
      start.call("mock", **fail, task: "exit 2")
    end
  end

  test "what they cost counts from the beginning of the measurement" do
    with_data do |start|
      set = start.call("mock", tcp: true)
      port = set.env.fetch("MOCK_URL")[/:(\d+)/, 1].to_i
      set.measuring(10)
      100.times { TCPSocket.open("127.0.0.1", port, &:read) }
      set.measured(110)
      fact = set.facts.first

      assert_equal ["tcp", 100], fact.values_at(:address, :requests)
      assert_operator fact[:cpu_ns], :positive?
      assert_operator fact[:memory_bytes], :>, 1_000_000
    end
  end

  test "one that ends before it is ready is told with its log, and leaves nothing" do
    folder = Dir.mktmpdir("mohs-test")
    service = Mohs::Trial::PrivateService.new(
      Broken, folder: File.join(folder, "1"), password: "x", tcp: true,
              spawner: Mohs::Process::Spawner.new
    )
    service.create
    error = assert_raises(Mohs::TrialError) { service.start }

    assert_equal [:refused, "service_ended"], [error.state, error.reason.code]
    assert_match(/\AMock .*\(exit 3\): no room\z/, error.reason.summary)
    assert_includes error.log_tail, "no room"
  ensure
    service&.stop
    FileUtils.rm_rf(folder)
  end

  test "where its disk is full, that is the reason; else the first error" do
    folder = Dir.mktmpdir("mohs-test")
    services = [Full, Failing].map.with_index do |member, index|
      Mohs::Trial::PrivateService.new(
        member, folder: File.join(folder, index.to_s), password: "x", tcp: false,
                spawner: Mohs::Process::Spawner.new
      )
    end
    services.each(&:create)
    reason, other = services.map { |one| assert_raises(Mohs::TrialError) { one.start }.reason }

    assert_equal ["Mock ended before it was ready (exit 1): Unknown option --x", nil],
                 [other.summary, other.remedy]
    assert_equal "Mock ended before it was ready (exit 1): no space left for its data " \
                 "in #{folder}", reason.summary
    assert_match(/TMPDIR/, reason.remedy)
  ensure
    services&.each(&:stop)
    FileUtils.rm_rf(folder)
  end

  test "one whose log says nothing is ready once it accepts a connection" do
    folder = Dir.mktmpdir("mohs-test")
    service = Mohs::Trial::PrivateService.new(
      Silent, folder: File.join(folder, "1"), password: "x", tcp: false,
              spawner: Mohs::Process::Spawner.new
    )
    service.create
    service.start

    assert_equal "1.0", service.attested[:version]
  ensure
    service&.stop
    FileUtils.rm_rf(folder)
  end

  test "PostgreSQL: each has the same at first, and none sees what another writes" do
    skip_without("postgresql")
    with_data do |start|
      one, two = Array.new(2) { start.call("postgresql") }
      sql(one, "CREATE TABLE a AS SELECT 1 AS b")

      assert_equal "1", sql(one, "SELECT b FROM a")
      assert_equal "0", sql(two, "SELECT count(*) FROM pg_tables WHERE tablename = 'a'")
      assert_equal "mohs_cache", sql(two, "SELECT current_database()", "CACHE_DATABASE_URL")
      settings = two.facts.first.fetch(:settings)
      assert_equal Mohs::Services::Postgresql::SETTINGS, settings
      assert_match(/\A\d+\.\d+\z/, two.facts.first.fetch(:version))
      refute sql_works?(one.env.fetch("DATABASE_URL").sub("mohs@", "nobody@"))
      @segments = [one, two].map { |set| segment(set) }
      assert_empty @segments - segments
    end
    assert_empty @segments & segments, "a segment has outlived its processes, which were killed"
  end

  slow_test "PostgreSQL by TCP asks for a password" do
    skip_without("postgresql")
    with_data do |start|
      url = start.call("postgresql", tcp: true).env.fetch("DATABASE_URL")

      assert sql_works?(url)
      refute sql_works?(url.sub(/mohs:\h+@/, "mohs:wrong@"))
      refute sql_works?(url.sub(/mohs:\h+@/, "mohs@"))
    end
  end

  test "Redis by its socket and by TCP, where it asks for a password" do
    skip_without("redis")
    with_data do |start|
      path = start.call("redis").env.fetch("REDIS_URL").delete_prefix("unix://")
      assert_equal "PONG", redis("-s", path, "PING")
      set = start.call("redis", tcp: true)
      url = set.env.fetch("REDIS_URL")

      assert_equal "PONG", redis("-u", url, "PING")
      assert_match(/NOAUTH/, redis("-p", url[%r{:(\d+)/}, 1], "PING"))
      assert_equal Mohs::Services::Redis::SETTINGS, set.facts.first.fetch(:settings)
    end
  end

  test "MariaDB: each has the same at first, and none sees what another writes" do
    skip_without("mysql")
    with_data do |start|
      one, two = Array.new(2) { start.call("mysql") }
      mysql(one, "CREATE TABLE a AS SELECT 1 AS b")

      assert_equal "1", mysql(one, "SELECT b FROM a")
      assert_equal "", mysql(two, "SHOW TABLES")
      assert_equal "mohs_cache", mysql(two, "SELECT DATABASE()", "CACHE_DATABASE_URL")
      assert_equal Mohs::Services::Mysql::SETTINGS, two.facts.first.fetch(:settings)
      assert_match(/\A\d+\.\d+\.\d+\z/, two.facts.first.fetch(:version))
    end
  end

  # Who has no password comes in by the socket alone, which is in a folder of its owner.
  slow_test "MariaDB by TCP asks for a password, also root and nobody" do
    skip_without("mysql")
    with_data do |start|
      url = start.call("mysql", tcp: true).env.fetch("DATABASE_URL")

      assert_equal "1", mysql_of(url, "SELECT 1").stdout.strip
      %w[mohs:wrong mohs root nobody].each do |user|
        refute_predicate mysql_of(url.sub(/mohs:\h+(?=@)/, user), "SELECT 1"), :success?, user
      end
    end
  end

  test "Memcached by its socket and by TCP" do
    skip_without("memcached")
    with_data do |start|
      address = start.call("memcached").env.fetch("MEMCACHE_SERVERS")
      assert_equal "VERSION", UNIXSocket.open(address) { |socket| memcached(socket) }
      set = start.call("memcached", tcp: true)
      host, port = set.env.fetch("MEMCACHE_SERVERS").split(":")

      assert_equal "VERSION", TCPSocket.open(host, port) { |socket| memcached(socket) }
      assert_empty set.facts.first.fetch(:settings)
      assert_match(/\A\d+\.\d+\.\d+\z/, set.facts.first.fetch(:version))
    end
  end

  private

  def memcached(socket)
    socket.write("version\r\n")
    socket.gets[/\w+/]
  end

  def mysql(set, statement, variable = "DATABASE_URL")
    result = mysql_of(set.env.fetch(variable), statement)
    assert_predicate result, :success?, result.stderr
    result.stdout.strip
  end

  # The password in the environment, as the client's own option shows it to other users.
  def mysql_of(url, statement)
    address = URI.parse(url)
    place = if address.query then "--socket=#{URI.decode_www_form(address.query).to_h['socket']}"
            else "--port=#{address.port}"
            end
    capture(Mohs::Services::Mysql.programs.fetch("mariadb"), "--no-defaults", "-BN",
            "--host=#{address.host}", place, "--user=#{address.user}", "--execute=#{statement}",
            address.path.delete_prefix("/"), env: { "MYSQL_PWD" => address.password.to_s })
  end

  def capture(*argv, env: {})
    command = Mohs::Process::Command.new(argv:, env:)
    Mohs::Process::Capture.call(command, timeout_s: 60)
  end

  def psql(url, statement)
    program = Mohs::Services::Postgresql.programs.fetch("psql")
    capture(program, "-XAtq", "--no-password", "-c", statement, url)
  end

  def sql(set, statement, variable = "DATABASE_URL")
    result = psql(set.env.fetch(variable), statement)
    assert_predicate result, :success?, result.stderr
    result.stdout.strip
  end

  def sql_works?(url) = psql(url, "SELECT 1").success?

  # Numbers of the System V segments of shared memory that there are, and of its own.
  def segments = File.readlines("/proc/sysvipc/shm").drop(1).map { |line| line.split[1] }

  def segment(set)
    folder = URI.decode_www_form_component(set.env.fetch("DATABASE_URL")[/@(.+):/, 1])
    File.readlines(File.join(folder, "data/postmaster.pid"))[6].split[1]
  end

  def redis(*arguments)
    result = capture("redis-cli", *arguments)
    "#{result.stdout}#{result.stderr}".lines.grep_v(/Warning/).join.strip
  end
end
