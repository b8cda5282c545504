# frozen_string_literal: true

require "etc"
require "test_helper"

# What every member of the family keeps: lib/mohs/services/base.rb.
class ServicesContractTest < Mohs::TestCase
  Services = Mohs::Services
  Command = Mohs::Process::Command

  Services.names.each do |name|
    test "#{name} declares itself fully" do
      klass = Services.fetch(name)

      assert_equal name, klass.label
      [klass::TITLE, klass::PACKAGE, klass::VARIABLE].each { |text| assert_kind_of String, text }
      refute_empty klass::PROGRAMS
      refute_empty klass::SCHEMES
      assert_includes Signal.list, klass::STOP_SIGNAL
      assert_kind_of(klass::READY ? Regexp : Addrinfo, klass::READY || build(name).listening)
      assert_kind_of Integer, klass::PORT
      assert([klass::FOR_TESTS, klass::DATABASES].all? { |value| [true, false].include?(value) })
      assert(klass::SETTINGS.to_a.flatten.all?(String))
      assert(klass::GEMS.all?(String))
      assert_equal klass::FOR_TESTS, klass::GEMS.empty?
      assert_kind_of(klass::DATABASES ? NilClass : Regexp, klass::SOUGHT)
    end

    test "#{name} takes all its programs from one folder, and says what to install without them" do
      klass = Services.fetch(name)
      folder = Dir.mktmpdir("mohs-test")
      klass::PROGRAMS.each { |program| File.write(File.join(folder, program), "", perm: 0o755) }

      assert_equal klass::PROGRAMS.to_h { |program| [program, File.join(folder, program)] },
                   klass.programs(path: "/nowhere:#{folder}")
      assert_nil klass.refusal(path: folder)
      bare = Class.new(klass) { const_set(:FOLDERS, []) }
      bare.define_singleton_method(:label) { name }
      refusal = bare.refusal(path: "/nowhere")
      assert_equal ["#{klass::TITLE} is not installed", "service_missing", { service: name }],
                   [refusal.summary, refusal.code, refusal.values]
      assert_includes refusal.remedy, "apt-get install"
      assert_includes refusal.remedy, klass::PACKAGE
    ensure
      FileUtils.rm_rf(folder)
    end

    test "#{name} is plain data: commands in its folder, files in it" do
      service = build(name)
      commands = [*service.initialise, service.start, *service.create(%w[a]), *service.settle,
                  *service.inquiries]

      assert(commands.all? { |command| command.is_a?(Command) && command.chdir == "/scratch/7" })
      assert(commands.all? { |command| command.argv.first.start_with?("/programs/") })
      assert(service.files.keys.all? { |path| path.start_with?("/scratch/7/") })
      assert(service.files.values.all?(String))
      refute_path_exists "/scratch"
    end

    test "#{name} runs as the account that it is given" do
      root = Etc.getpwuid(0)
      service = build(name, account: root)

      [*service.initialise, service.start, *service.inquiries].each do |command|
        assert_equal ["setpriv", "--reuid=0", "--regid=0", "--clear-groups", "--pdeathsig=KILL"],
                     command.argv.first(5)
      end
      assert_nil Services.fetch(name).account(uid: 1000)
    end

    test "#{name} listens on TCP only where it has a port, and leads the application there" do
      by_socket, by_tcp = build(name), build(name, port: 20_001)
      shown = ->(one) { [*one.start.argv, *one.files.values].join(" ") }

      refute_includes shown.call(by_socket), "20001"
      assert_includes shown.call(by_tcp), "20001"
      variable = Services.fetch(name)::VARIABLE
      address = URI.decode_www_form_component(by_socket.env(%w[mohs]).fetch(variable))
      assert_includes address, "/scratch/7"
      assert_includes by_tcp.env(%w[mohs]).fetch(variable), "127.0.0.1:20001"
      refute_includes by_tcp.env(%w[mohs]).fetch(variable), "scratch"
      assert([by_socket, by_tcp].all? do |one|
        Services.fetch(name).url?(one.env(%w[mohs]).fetch(variable))
      end)
    end

    test "#{name} puts no password on a command line" do
      service = build(name, port: 20_001)
      commands = [*service.initialise, service.start, *service.create(%w[a]), *service.settle,
                  *service.inquiries]

      refute_includes commands.flat_map(&:argv).join(" "), "hunter2"
    end
  end

  test "the databases of one application have variables of their own" do
    urls = build("postgresql").env(%w[mohs mohs_cache])

    assert_equal %w[DATABASE_URL CACHE_DATABASE_URL], urls.keys
    assert_equal "postgresql://mohs@%2Fscratch%2F7:5432/mohs", urls["DATABASE_URL"]
    assert_equal "postgresql://mohs@%2Fscratch%2F7:5432/mohs_cache", urls["CACHE_DATABASE_URL"]
    assert_equal "postgresql://mohs:hunter2@127.0.0.1:20001/mohs",
                 build("postgresql", port: 20_001).env(%w[mohs])["DATABASE_URL"]
    assert_equal "redis://default:hunter2@127.0.0.1:20001/0",
                 build("redis", port: 20_001).env(%w[mohs])["REDIS_URL"]
    assert_equal "mysql2://mohs:hunter2@127.0.0.1:20001/mohs_cache",
                 build("mysql", port: 20_001).env(%w[mohs mohs_cache])["CACHE_DATABASE_URL"]
    assert_equal "trilogy://mohs:hunter2@localhost/mohs?socket=%2Fscratch%2F7%2Fmysql.sock",
                 build("mysql", scheme: "trilogy").env(%w[mohs])["DATABASE_URL"]
    assert_equal "postgis://mohs@%2Fscratch%2F7:5432/mohs",
                 build("postgresql", scheme: "postgis").env(%w[mohs])["DATABASE_URL"]
  end

  test "MariaDB's temporary tables are in its own folder, since each start deletes all of them" do
    service = build("mysql")

    [*service.initialise, service.start].each do |command|
      assert_includes command.argv, "--tmpdir=/scratch/7"
      assert_equal "/scratch/7", command.env.fetch("TMPDIR")
    end
  end

  test "a server in the sbin beside the other programs is found" do
    Dir.mktmpdir("mohs-test") do |folder|
      others = Services::Mysql::PROGRAMS - %w[mariadbd]
      { "bin" => others, "sbin" => %w[mariadbd] }.each do |name, programs|
        Dir.mkdir(File.join(folder, name))
        programs.each { |one| File.write(File.join(folder, name, one), "", perm: 0o755) }
      end

      found = Services::Mysql.programs(path: File.join(folder, "bin"))
      assert_equal File.join(folder, "sbin/mariadbd"), found["mariadbd"]
      assert_equal File.join(folder, "bin/mariadb"), found["mariadb"]
    end
  end

  test "Memcached logs no requests; whether it is ready is seen by a connection" do
    by_socket, by_tcp = build("memcached"), build("memcached", port: 20_001)

    assert_empty by_socket.start.argv.grep(/\A-v/)
    assert_equal ["/scratch/7/memcached.sock", ["127.0.0.1", 20_001]],
                 [by_socket.listening.unix_path, by_tcp.listening.ip_unpack]
  end

  test "an address of Memcached has no scheme" do
    told = ["/run/memcached.sock", "cache:11211", "a:1,b:2", "memcached://a", "cache",
            "redis://a:1"]
    assert_equal [true, true, true, true, false, false],
                 (told.map { |one| Services::Memcached.url?(one) })
  end

  test "what they answer is read as their version and settings" do
    told = ["server_version=15.18 (Debian 15.18-0+deb12u1)\nfsync=off\nother=1\nTimeZone=UTC\n"]
    assert_equal({ version: "15.18", settings: { "fsync" => "off", "TimeZone" => "UTC" } },
                 build("postgresql").attested(told))
    told = ["version\t10.11.19-MariaDB-0+deb12u1\nsync_binlog\t0\nport\t0\n"]
    assert_equal({ version: "10.11.19", settings: { "sync_binlog" => "0" } },
                 build("mysql").attested(told))
    assert_equal({ version: "1.6.18", settings: {} },
                 build("memcached").attested(["memcached 1.6.18\n"]))
    told = ["# Server\r\nredis_version:7.0.15\r\n", "save\n\n", "appendonly\nno\n"]
    assert_equal({ version: "7.0.15", settings: { "save" => "", "appendonly" => "no" } },
                 build("redis").attested(told))
    nothing = { version: nil, settings: {} }
    assert_equal([nothing] * 4, %w[postgresql redis mysql memcached].map do |name|
      build(name).attested([""])
    end)
  end

  test "PostgreSQL's variables of the person's shell reach none of its programs" do
    service = build("postgresql")

    [*service.initialise, service.start, *service.create(%w[a]), *service.inquiries].each do |one|
      assert(one.env.key?("PGHOST") && one.env.key?("PGOPTIONS"))
      assert_nil one.env["PGHOST"]
    end
  end

  test "one for tests is offered to nobody" do
    assert_equal %w[memcached mysql postgresql redis], Services.offered.map(&:label)
  end

  private

  def build(name, port: nil, account: nil, scheme: nil)
    klass = Services.fetch(name)
    place = Services::Place.new(folder: "/scratch/7", port:, password: "hunter2", account:,
                                scheme:)
    klass.new(place, programs: klass::PROGRAMS.to_h { |one| [one, "/programs/#{one}"] })
  end
end
