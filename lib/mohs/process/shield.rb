# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Process
    # Keeps other processes from interrupting servers: everything below their supervisors gets the
    # real-time scheduling class, at its lowest priority, or a better nice value if that is not
    # permitted (ext/mohs/core/shield.h). Processes that they start inherit it. mohs itself never
    # gets it: the parent of busy real-time servers, or a process beside them, may never run again.
    # So a watchdog at a higher priority (core/watchdog.h) takes all of it back when mohs is silent,
    # at a time limit, and when mohs dies.
    class Shield
      # As in core/shield.h.
      PLAIN, NICE, REAL_TIME = *0..2
      GIVEN = %w[none nice real-time].freeze
      NICE_VALUE = -10
      PRIORITY = 1

      # Several times as long as mohs waits when its cores are taken: a twentieth of each second is
      # always left to it.
      SILENCE_S = 5
      # Several times as long as the measurement of a cohort.
      LIMIT_S = 300
      BEAT_S = 0.5

      # As in core/watchdog.h.
      ENDINGS = { 1 => "mohs was not heard for %<silence>g s",
                  2 => "the limit of %<limit>g s" }.freeze
      KILLED = "its watchdog was ended"
      UNLISTED = "the threads can't be found (no /proc/PID/task/TID/children here)"

      #: (?silence_s: Numeric, ?limit_s: Numeric, ?root: String) -> void
      def initialize(silence_s: SILENCE_S, limit_s: LIMIT_S, root: "/")
        @silence_s = silence_s
        @limit_s = limit_s
        @root = root
        @refusals = []
        @given = PLAIN
      end

      # Shields what lives below these processes, as far as permitted. End it with `down`.
      #: (Array[Integer]) -> void
      def up(supervisors)
        @supervisors = supervisors
        Interruption.held do
          @given = [REAL_TIME, NICE].find { |sched_class| granted?(sched_class) } || PLAIN
        end
      end

      # The scheduling class that all of it has now: PLAIN, NICE or REAL_TIME; PLAIN once the
      # watchdog has ended the shield.
      #: () -> Integer
      def sched_class
        hear if @reports && !@ended
        @ended ? PLAIN : @given
      end

      # Takes the shield back, after counting once more which threads have it. driver: the
      # scheduling class of the driver's threads. Safe to call again.
      #: (?driver: Integer?) -> void
      def down(driver: nil)
        Interruption.held { lower(driver) if @supervisors }
      end

      # What was actually done: the class that was `given` (none, nice, real-time), how many of the
      # `threads` below the supervisors had it at the end (`shielded`), the class of the `driver`,
      # why it was not a better one (`refusals`), and what `ended` it early. nil if the shield was
      # never up.
      #: () -> Hash[Symbol, untyped]?
      def to_h = @counts && { given: GIVEN[@given], **@counts, refusals: @refusals, ended: @ended }

      private

      def lower(driver)
        sched_class
        @counts = { driver: driver && GIVEN[driver], **counted }
        take_back
        dismiss
        @supervisors = nil
      end

      def granted?(sched_class)
        raise EnvironmentError, UNLISTED unless Tree.listed?

        sched_class == REAL_TIME && watch
        @supervisors.each { |pid| Core.set_sched_class_below(pid, sched_class) }
        true
      rescue SystemCallError, EnvironmentError => error
        refused(sched_class, error)
      end

      # Some threads may have got it already: all or none must have it.
      def refused(sched_class, error)
        take_back
        dismiss
        @refusals << "#{GIVEN[sched_class]}: #{reason(error)}"
        false
      end

      def reason(error)
        case error
        when Errno::EPERM, Errno::EACCES then "not permitted (root or CAP_SYS_NICE)"
        else error.message
        end
      end

      def watch
        obstacle = RealTime.obstacle(**RealTime.grants { |path| read(path) })
        raise EnvironmentError, obstacle if obstacle

        made = Core.watchdog(roots: @supervisors, silence_ms: ms(@silence_s),
                             limit_ms: ms(@limit_s))
        @watchdog = made.fetch(:pid)
        @control = IO.for_fd(made.fetch(:control), "w")
        @reports = IO.for_fd(made.fetch(:reports), "r")
        @beats = Thread.new { beat }
        @beats.name = "shield"
      end

      def read(path)
        File.read(File.join(@root, path))
      rescue SystemCallError
        nil
      end

      def ms(seconds) = (seconds * 1000).to_i

      # Runs until it is killed. A full pipe contains enough signs of life.
      def beat
        loop do
          @control.write_nonblock("!", exception: false)
          sleep BEAT_S
        end
      rescue Errno::EPIPE, IOError
        nil # it has ended, and its report says why
      end

      # Checks whether the watchdog has ended the shield. If so, it has reported why; if it was
      # killed without a report, the shield is taken back here.
      def hear
        word = @reports.read_nonblock(1, exception: false)
        return if word == :wait_readable

        @ended = word ? ending(word.ord) : KILLED
        take_back
      end

      def ending(number)
        format(ENDINGS.fetch(number), silence: @silence_s, limit: @limit_s)
      end

      def counted
        counts = @supervisors.map { |pid| Core.sched_counts_below(pid) }
        shielded = @given == PLAIN ? 0 : counts.sum { |one| one[@given] }
        { threads: counts.flatten.sum, shielded: }
      end

      # Threads whose class can't be taken back were changed by the server itself; they end with it.
      def take_back
        @supervisors.each { |pid| Core.set_sched_class_below(pid, PLAIN) }
      rescue SystemCallError
        nil
      end

      def dismiss
        return unless @watchdog

        @beats.kill.join
        [@control, @reports].each(&:close)
        ::Process.wait(@watchdog)
      rescue Errno::ECHILD
        nil # somebody waits for all children of this process
      ensure
        @watchdog = @reports = nil
      end
    end
  end
end
