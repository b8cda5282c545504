# frozen_string_literal: true

require "test_helper"

# How long others are waited for, on a machine where the name is taken by one after the other.
class MachineLockTurnsTest < Mohs::TestCase
  MachineName = Mohs::Process::MachineName
  OTHERS = [60_001, 60_002].freeze
  # Far more than the longest wait here.
  TURNS = 200

  # Waits while the holders of these uids take turns, one for each time that the name is asked for;
  # the last is followed by nobody. A uid of nil is that of an unknown holder, :gone that of none.
  def wait_for(uids, stranger_s: 0.5)
    turns = uids.each_with_index.map do |uid, at|
      uid == :gone ? nil : MachineName::Holder.new(name: "name", pid: uid && (at + 1), uid:)
    end
    taken = Struct.new(:release).new
    take = lambda do |name|
      next taken if name.include?("-next") || turns.size < 2

      turns.shift && nil
    end
    lock = Mohs::Process::MachineLock.new(name: "name", stranger_s:)
    MachineName.stub(:take, take) do
      MachineName.stub(:holder, ->(_) { turns.first }) { lock.hold(wait: ->(_) {}) { :mine } }
    end
  end

  test "a stranger that takes the name again and again is refused as if it had kept it" do
    { OTHERS.first => /process \d+ of 60001/, nil => /an unknown process/ }.each do |uid, who|
      error = assert_raises(Mohs::EnvironmentError) { wait_for([uid] * TURNS) }
      assert_match(/\A#{who} .*kept this machine/, error.message)
    end
  end

  test "while it waits it says so again and again, with the one that it saw last" do
    told = []
    turns = [7, 8].map { |pid| MachineName::Holder.new(name: "name", pid:, uid: ::Process.euid) }
    taken = Struct.new(:release).new
    take = ->(name) { taken if name.include?("-next") || told.size > 2 }
    lock = Mohs::Process::MachineLock.new(name: "name", stranger_s: 1, renew_s: 0.01)
    MachineName.stub(:take, take) do
      MachineName.stub(:holder, ->(_) { turns.size > 1 ? turns.shift : turns.first }) do
        tell = ->(holder) { told << holder.pid }
        lock.hold(wait: tell, still: tell) { :mine }
      end
    end

    assert_equal [7, 7, 8], told
  end

  test "a gap in which nobody has the name does not begin the count anew" do
    assert_raises(Mohs::EnvironmentError) { wait_for([OTHERS.first, :gone] * TURNS) }
  end

  test "each other user has a time of its own" do
    assert_equal :mine, wait_for(OTHERS.flat_map { |uid| [uid] * 4 })
    assert_raises(Mohs::EnvironmentError) { wait_for(OTHERS * TURNS) }
  end

  test "a turn of one's own, or of root, begins the count anew" do
    [::Process.euid, 0].each do |lawful|
      assert_equal :mine, wait_for([*([OTHERS.first] * 4), lawful, lawful] * 3)
    end
  end
end
