# frozen_string_literal: true

require "test_helper"

# Where the machine around mohs does not play along.
class HostileHostTest < Mohs::TestCase
  include Mohs::HeldProcess

  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  ARGUMENTS = ["--variant", "a::#{RUBY_VERSION}, mock", "--rounds", "1", "--seed", "7"].freeze

  test "two at once on one application take turns, and the one that waits says for whom" do
    with_files(APP) do |dir|
      first, second = %w[one two].map do |name|
        FileUtils.cp_r(File.join(dir, "config.ru"), FileUtils.mkdir_p(File.join(dir, name)).first)
        env = { "XDG_DATA_HOME" => File.join(dir, "data") }
        Mohs::MohsCommand.new(File.join(dir, name), env:)
      end
      pid = first.start(*ARGUMENTS)
      wait_for { measuring == pid } # others on this machine may have their turns before
      other_pid = held(pid) do
        second.start(*ARGUMENTS).tap { wait_for { second.output.include?("another mohs") } }
      end
      results = [second.finish(60), first.finish(60)]

      results.each { |result| assert_ran result.status, result.err }
      assert_includes results.first.err, "another mohs (process #{pid}) is measuring"
      refute_includes results.last.err, "another mohs (process #{other_pid})"
    end
  end

  def measuring = Mohs::Process::MachineName.holder(Mohs::Process::MachineLock::NAME)&.pid

  test "a run that another mohs is measuring is not resumed beside it" do
    with_files(APP) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      pid = mohs.start(*ARGUMENTS)
      wait_for { mohs.output.include?("round 1/1") }
      sleep 0.5
      other = Mohs::MohsCommand.new(FileUtils.mkdir_p(File.join(dir, "other")).first,
                                    env: { "XDG_DATA_HOME" => File.join(dir, "data") })
      key, refused = held(pid) do
        key = other.call("list", "--json").json[:runs].first[:run]
        [key, other.call("resume", key)]
      end

      assert_equal 2, refused.status.exitstatus
      assert_match(/run #{key} .*process #{pid}/, refused.err)
      assert_ran mohs.finish(60).status
    end
  end

  test "who reads the progress may go away: the measurement goes on" do
    with_files(APP) do |dir|
      reader, writer = IO.pipe
      pid = spawn(dir, *ARGUMENTS, err: writer)
      writer.close
      reader.gets
      reader.close

      assert_ran ::Process.wait2(pid).last, File.read(File.join(dir, "out"))
      mohs = Mohs::MohsCommand.new(dir, env: { "XDG_DATA_HOME" => File.join(dir, "data") })
      assert_equal(["finished"], mohs.call("list", "--json").json[:runs].map { |run| run[:state] })
    end
  end

  test "an answer that the disk has no room for is a failure that says so" do
    skip "no /dev/full here" unless File.exist?("/dev/full")

    with_files(APP) do |dir|
      pid = spawn(dir, "list", out: "/dev/full", err: File.join(dir, "err"))

      assert_equal 4, ::Process.wait2(pid).last.exitstatus
      assert_match(/\Amohs: No space left on device/, File.read(File.join(dir, "err")))
    end
  end

  # What HOME is => what the one line says.
  HOMES = { nil => "HOME is not set: ", "" => "HOME is empty: ",
            "DIR/gone" => "HOME is DIR/gone, which",
            "DIR/config.ru" => "HOME is DIR/config.ru, which",
            "DIR/blocked" => "can't write to DIR/blocked/.cache/mohs (" }.freeze

  HOMES.each_with_index do |(home, line), index|
    test "home #{index + 1} that can't be used is told in one line, and nothing is created" do
      with_files({ **APP, "blocked/.cache" => "a file" }) do |dir|
        before = Dir.glob("#{dir}/**/*", File::FNM_DOTMATCH)
        env = { "HOME" => home&.sub("DIR", dir), "XDG_DATA_HOME" => nil, "XDG_CACHE_HOME" => nil }
        [ARGUMENTS, [*ARGUMENTS, "--dry-run"], %w[--dry-run]].each do |arguments|
          result = Mohs::MohsCommand.new(dir, env:).call(*arguments)

          assert_equal [4, ""], [result.status.exitstatus, result.out]
          assert_match(
/\Amohs: #{Regexp.escape(line.sub("DIR", dir))}.*(?:an)?other folders?\.\n\z/, result.err)
        end
        assert_equal %w[err.txt out.txt],
                     (Dir.glob("#{dir}/**/*", File::FNM_DOTMATCH) - before).map { |path| File.basename(path) }
      end
    end
  end

  # What mohs keeps => commands that come to it first.
  KEPT = { "data/mohs/mohs.db" => [%w[list], %w[show x], %w[resume x], ARGUMENTS],
           "cache/mohs" => [%w[rubies], %w[--dry-run], ARGUMENTS],
           "state/mohs/doctor.json" => [%w[doctor --undo]] }.freeze

  KEPT.each do |path, commands|
    test "#{path} that leads elsewhere is refused by each command, and nothing is written there" do
      with_files({ **APP, "data/mohs/x" => "", "cache/x" => "", "state/mohs/x" => "",
                   "elsewhere/x" => "" }) do |dir|
        File.symlink("#{dir}/elsewhere", "#{dir}/#{path}")
        env = %w[data cache state].to_h { |kind| ["XDG_#{kind.upcase}_HOME", "#{dir}/#{kind}"] }
        commands.each do |arguments|
          result = Mohs::MohsCommand.new(dir, env:).call(*arguments)

          assert_equal [4, ""], [result.status.exitstatus, result.out], arguments
          assert_match(%r{\Amohs: #{dir}/#{path} is a link: .* to another folder\.\n\z}, result.err)
        end
        assert_equal %w[x], Dir.children("#{dir}/elsewhere")
      end
    end
  end

  # Options of the file system that HOME is on => what the one line says.
  DISKS = { "size=4k" => "No space left on device", "ro" => "Read-only file system" }.freeze

  DISKS.each do |options, reason|
    test "a home on a disk mounted with #{options} is told in one line" do
      with_files({ **APP, "home/x" => "" }) do |dir|
        script = "mount -t tmpfs -o #{options} none home && " \
                 "{ cat /dev/zero >home/y; exec \"$@\"; } 2>err"
        command = ["unshare", "-m", "sh", "-c", script, "sh", File.join(Mohs.root, "bin/mohs")]
        env = { "HOME" => "#{dir}/home", "XDG_DATA_HOME" => nil, "XDG_CACHE_HOME" => nil }
        system(env, *command, *ARGUMENTS, chdir: dir, out: File::NULL, err: File::NULL)
        skip "no file system can be mounted here" unless File.exist?("#{dir}/err")

        assert_equal 4, $?.exitstatus
        line = "mohs: can't write to #{dir}/home/.cache/mohs (#{reason}): mohs keeps"
        assert_match(/^#{Regexp.escape(line)}.*folder\.\n\z/, File.read("#{dir}/err"))
      end
    end
  end

  private

  def spawn(dir, *arguments, **streams)
    ::Process.spawn({ "XDG_DATA_HOME" => File.join(dir, "data"), "MOHS_DATABASE_URL" => nil },
                    File.join(Mohs.root, "bin/mohs"), *arguments,
                    chdir: dir, out: File.join(dir, "out"), in: File::NULL, **streams)
  end

  def wait_for(seconds = 30)
    deadline = Mohs::Clock.deadline(seconds)
    sleep 0.02 until yield || Mohs::Clock.mono_ns > deadline
  end
end
