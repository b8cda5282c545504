# frozen_string_literal: true

require "test_helper"
require "etc"
require "securerandom"
require "socket"

class MachineLockTest < Mohs::TestCase
  NOBODY = 65_534

  def setup
    @name = "mohs-test-#{SecureRandom.hex(8)}"
    @waited = []
  end

  test "a free machine is had at once, and is free again afterwards, whatever happened" do
    assert_equal :done, hold { :done }
    assert_raises(Interrupt) { hold { raise Interrupt } }
    assert_equal :again, hold { :again }
    assert_empty @waited
  end

  test "who comes second is told which process has it, and waits its turn" do
    order = []
    other = Thread.new { hold { sleep 0.3 and order << :first } }
    sleep 0.01 until holder
    hold { order << :second }
    other.join

    assert_equal %i[first second], order
    assert_equal [[::Process.pid, nil]], @waited.map { |one| [one.pid, one.user] }
  end

  test "a process that was killed has it no longer" do
    pid = holding { hold { sleep } }
    assert_equal pid, holder.pid
    stop(pid)

    assert_equal :mine, hold { :mine }
    assert_empty @waited
  end

  test "two with different TMPDIRs, and two users, take turns too" do
    with_files do |folder|
      users = ::Process.euid.zero? ? [nil, NOBODY] : [nil]
      users.each do |user|
        pid = holding do
          ENV["TMPDIR"] = folder
          become(user)
          hold { sleep }
        end
        Thread.new { sleep 0.3 and stop(pid) }

        assert_equal :mine, hold { :mine }
        assert_equal [pid, user && Etc.getpwuid(user).name], [@waited.last.pid, @waited.pop.user]
      end
    end
  end

  test "another user's process does not keep it for ever: it is named, with what to do" do
    skip "needs root, to become another user" unless ::Process.euid.zero?

    pid = holding { become(NOBODY) || hold { sleep } }
    begin
      error = assert_raises(Mohs::EnvironmentError) { hold(stranger_s: 0.2) { flunk } }
      assert_match(/\Aprocess #{pid} of #{Etc.getpwuid(NOBODY).name} has kept .*: kill #{pid}; /,
                   error.message)
    ensure
      stop(pid)
    end
  end

  test "a stranger that has it without listening is not waited for for ever either" do
    socket = Socket.new(:UNIX, :STREAM)
    socket.bind(Addrinfo.unix("\0#{@name}"))
    error = assert_raises(Mohs::EnvironmentError) { hold(stranger_s: 0.2) { flunk } }

    assert_match(/\Aan unknown process .*root/, error.message)
    assert_nil @waited.first.pid
  ensure
    socket.close
  end

  test "one's own process is waited for as long as it takes" do
    pid = holding { hold { sleep } }
    Thread.new { sleep 0.6 and stop(pid) }

    assert_equal :mine, hold(stranger_s: 0.1) { :mine }
  end

  test "a child that still has it is named, not its dead parent" do
    reader, writer = IO.pipe
    parent = fork do
      Mohs::Process::MachineName.take(@name)
      writer.puts(fork { sleep })
      exit!
    end
    ::Process.wait(parent)
    child = reader.gets.to_i
    assert_equal child, holder.pid
    ::Process.kill("KILL", child)
    sleep 0.01 while holder

    assert_equal :mine, hold { :mine }
  end

  # A line of /proc/net/unix that says that the name is this socket's: as the kernel writes it.
  def forged(inode) = "x\n0000000000000000: 00000002 00000000 00010000 0001 01 #{inode} @#{@name}"

  # The inode of a new socket of ours.
  def with_socket
    Socket.pair(:UNIX, :STREAM).tap { |pair| yield pair.first.stat.ino }.each(&:close)
  end

  # A process of another user that has the name, whose socket a child of it keeps; and another name.
  def with_stranger(other)
    reader, writer = IO.pipe
    parent = fork do
      become(NOBODY)
      sockets = [@name, other].map { |name| UNIXServer.new("\0#{name}") }
      writer.puts(fork { sockets && sleep })
      exit!
    end
    ::Process.wait(parent)
    child = reader.gets.to_i
    yield child
  ensure
    ::Process.kill("KILL", child) if child
    sleep 0.01 while holder
  end

  test "a forged line about a socket of ours does not make us the one to end" do
    skip "needs root, to become another user" unless ::Process.euid.zero?

    with_socket do |inode|
      with_stranger(forged(inode)) do
        assert_equal [nil, NOBODY], [holder.pid, holder.uid]
      end
    end
  end

  test "only a process of the user who listens is named" do
    skip "needs root, to become another user" unless ::Process.euid.zero?

    reader, writer = IO.pipe
    pid = fork do
      socket = UNIXServer.new("\0#{@name}")
      become(NOBODY)
      writer.puts("ready")
      socket && sleep
    end
    reader.gets
    assert_equal [nil, 0], [holder.pid, holder.uid]
  ensure
    stop(pid) if pid
  end

  test "names that are no text do not hinder" do
    taken = UNIXServer.new("\0#{@name}\xff\n\xfe")
    assert_nil holder
    assert_equal :mine, hold { :mine }
  ensure
    taken.close
  end

  test "a neighbour that asks again at once waits behind who asked before" do
    reader, writer = IO.pipe
    pid = holding { 300.times { hold { writer.write(".") && sleep(0.02) } } && exit! }
    begun = nil
    lock = Mohs::Process::MachineLock.new(name: @name)
    lock.hold(wait: ->(_) { begun = ready(reader) }) do
      # The one that was about to begin when we asked.
      assert_operator ready(reader), :<=, 1
    end
    assert begun
  ensure
    stop(pid)
  end

  test "who passes its turn on has it again after those that wait, at once without any" do
    (go, start), (asked, queued), (done, writer), (noticed, notice) = Array.new(4) { IO.pipe }
    pid = fork do # before we have the name: a child would keep it
      go.gets
      hold_aloud(queued) { writer.write("x") && noticed.gets } # until we are seen to wait
    end
    lock = Mohs::Process::MachineLock.new(name: @name)
    waited = []
    wait = lambda do |holder|
      waited << holder&.pid
      notice.puts
    end
    lock.hold(wait:) do
      lock.pass(wait:)
      assert_empty waited

      start.puts
      asked.gets
      lock.pass(wait:)
      assert_equal ["x", 1, ::Process.pid], [done.read_nonblock(9), waited.size, holder.pid]
    end
    ::Process.wait(pid)

    assert_nil holder
  end

  # Waits for the machine, saying so, and ends this process afterwards.
  def hold_aloud(queued, &)
    lock = Mohs::Process::MachineLock.new(name: @name)
    lock.hold(wait: ->(_) { queued.puts("queued") }, &)
    exit!
  end

  test "several that wait have it in the order in which they came" do
    reader, writer = IO.pipe
    first = holding { hold { sleep } }
    pids = Array.new(5) do |number|
      asked, queued = IO.pipe
      fork { hold_aloud(queued) { writer.write(number.to_s) } }.tap { asked.gets }
    end
    stop(first)
    pids.each { |pid| ::Process.wait(pid) }

    assert_equal "01234", reader.read_nonblock(16)
  ensure
    [first, *pids].each { |pid| ended?(pid) || stop(pid) } if pids
  end

  test "who is next and never begins is named, too" do
    skip "needs root, to become another user" unless ::Process.euid.zero?

    name = "#{@name}-next-1"
    pid = fork { become(NOBODY) || Mohs::Process::MachineName.take(name).tap { sleep } }
    sleep 0.01 until Mohs::Process::MachineName.holder(name)
    error = assert_raises(Mohs::EnvironmentError) { hold(stranger_s: 0.2) { flunk } }

    assert_match(/\Aprocess #{pid} of .* \(the socket @#{name} in .*: kill #{pid}; /, error.message)
  ensure
    stop(pid) if pid
  end

  private

  # How much can be read at once.
  def ready(reader)
    reader.read_nonblock(1 << 16).size
  rescue IO::WaitReadable
    0
  end

  def hold(**options, &)
    lock = Mohs::Process::MachineLock.new(name: @name, **options)
    lock.hold(wait: ->(holder) { @waited << holder }, &)
  end

  def holder = Mohs::Process::MachineName.holder(@name)

  # The process in which the block runs, once it has the name.
  def holding(&)
    fork(&).tap { sleep 0.01 until holder }
  end

  def become(user)
    ::Process::UID.change_privilege(user) && nil if user
  end

  def ended?(pid)
    ::Process.wait(pid, ::Process::WNOHANG)
  rescue Errno::ECHILD
    true
  end

  def stop(pid)
    ::Process.kill("KILL", pid)
    ::Process.wait(pid)
  end
end
