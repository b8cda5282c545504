# frozen_string_literal: true

module Mohs
  module Process
    # One machine measures one cohort at a time: two at once would take the same cores and measure
    # each other. A locked file that all mohs of this machine share decides whose turn it is; the
    # kernel drops the lock with its process.
    class MachineLock
      FILE = "measuring"
      POLL_S = 0.1
      LOCK = /FLOCK +ADVISORY +WRITE (\d+) \S+:(\d+) /

      #: (?folder: String) -> void
      def initialize(folder: Port.shared_folder)
        @path = File.join(folder, FILE)
      end

      # Holds the machine for the block. `wait` is called, once, with the process that it has to
      # wait for (nil if that can't be seen).
      #: [T] (wait: Proc) { () -> T } -> T
      def hold(wait:)
        file = open
        unless free?(file)
          wait.call(holder(file))
          Interruption.heard { sleep POLL_S } until free?(file)
        end
        yield
      ensure
        file&.close
      end

      private

      # Created by whoever comes first, perhaps another user: read access is enough to lock it. In
      # the sticky folder only its owner could open it with O_CREAT.
      def open
        File.open(@path, File::RDONLY)
      rescue Errno::ENOENT
        File.open(@path, File::RDONLY | File::CREAT, 0o644)
      end

      # flock returns 0, or false if somebody else has it.
      def free?(file) = file.flock(File::LOCK_EX | File::LOCK_NB) ? true : false

      def holder(file)
        inode = file.stat.ino
        locks = File.read("/proc/locks").scan(LOCK).map { |numbers| numbers.map(&:to_i) }
        pid, = locks.find { |_, locked| locked == inode }
        pid if pid&.positive?
      rescue SystemCallError
        nil
      end
    end
  end
end
