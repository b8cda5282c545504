# frozen_string_literal: true

require "open3"
require "socket"

module Mohs
  module Agent
    # An agent on another machine, over ssh, and what is known of the way there.
    class Link
      # Nobody could type a password. ssh gives up after three unanswered keepalives of 5 s. It
      # takes the first value of an option that it is given twice.
      SSH = [Process::Ssh::WORDS.first, "-o", "BatchMode=yes", "-o", "ServerAliveInterval=5",
             "-o", "ServerAliveCountMax=3", *Process::Ssh::WORDS.drop(1)].freeze

      # A mohs in its PATH, or the newest gem of the Ruby in its PATH (as `mohs fleet init` installs
      # it; that Ruby may be another than the one that --ruby named).
      AGENT = "exec sh -c 'command -v mohs >/dev/null && exec mohs agent; " \
              "exec ruby -e \"load begin Gem.bin_path(%(mohs), %(mohs)); rescue Exception; " \
              "abort %(mohs is not installed there for Ruby \#{RUBY_VERSION}, which is in its " \
              "PATH. Run mohs fleet init; if you gave it --ruby, put that Ruby into the PATH of " \
              "commands that ssh runs there.) end\" agent'"

      GREETING_S = 30
      # Between two messages: a load is reported on every 100 ms (Service), all else takes less than
      # a second. ssh's keepalives pass where an agent hangs.
      ANSWER_S = 30
      # A recording is one message, of up to Frames::MOST_BYTES.
      RECORDING_S = 600
      STOP_S = 5
      # How long each other mohs is waited for that measures on that machine: several times as long
      # as a cohort takes. Two that load each other's servers would wait for ever.
      BUSY_S = 1800
      CLOCKS = 20
      # Lines of what ssh, or the host, says in place of an answer.
      SAID = 3

      # from: Study#load_from. Raises EnvironmentError.
      #: (Study::LoadFrom, ?ssh: Array[String]) -> Agent::Link
      def self.open(from, ssh: SSH)
        link = new(from.host, Process::Ssh.command(from.host, AGENT, ssh:))
        link.meet(from.listen)
        met = link
      ensure
        link&.close unless met
      end

      # stop_s: how long ssh may take to end once its streams are closed, and after each signal.
      # answer_s: how long an agent may be silent that has something to do.
      #: (String, Array[String], ?stop_s: Numeric, ?answer_s: Numeric) -> void
      def initialize(host, command, stop_s: STOP_S, answer_s: ANSWER_S)
        @host = host
        @stop_s = stop_s
        @answer_s = answer_s
        @to, from, err, @waiter = Open3.popen3(*command, pgroup: true)
        @outputs = [from, err]
        @frames = Frames.new(from, @to, write_s: answer_s)
        @said = []
        @messages = Inbox.new
        @waiting = @over = false
        @err = Thread.new do
          err.each_line("\n", Frames::SHELL_LINE) { |line| say(Process::Text.utf8(line).strip) }
        end
        @reader = Thread.new { receive }
      rescue Errno::ENOENT
        raise EnvironmentError, "#{command.first} is not installed here."
      end

      # The address of this machine on which its servers listen for that load.
      #: () -> String
      attr_reader :listen

      # By how much that machine's monotonic clock is ahead of ours.
      #: () -> Integer
      attr_reader :ahead_ns

      # Waits for the agent, and finds out what the rest rests on. listen: nil: where that machine
      # sees us. Raises EnvironmentError.
      #: (String?) -> void
      def meet(listen)
        hello = take(GREETING_S)[:hello]
        verify(hello, { mohs: String })
        raise EnvironmentError, "#{@host} has mohs #{hello[:mohs]}, this is #{VERSION}. To " \
                                "update it: mohs fleet init #{@host}" unless
          hello[:mohs] == VERSION

        verify(hello, Answers::HELLO)
        @name, @machine = hello.values_at(:name, :host)
        @listen = local_address!(listen || hello[:client_address].split.first)
        @ahead_ns, @unsure_ns = compare_clocks
      end

      # Makes a driver there, as Drivers.fetch("native").new does here.
      #: () -> ^(**untyped) -> Agent::Driver
      def driver = ->(**options) { Driver.new(self, **options) }

      # What is stored of it with each cohort, at its end.
      #: () -> Hash[Symbol, untyped]
      def facts
        { host: @host, name: @name, cpu: @machine[:cpu], cores: @machine[:cores], listen:,
          clock_unsure_ns: @unsure_ns, **ask(do: "foreign_load").slice(:foreign_cpu_share) }
      end

      # Keeps every other mohs from measuring on that machine until this link is closed. Yields the
      # one that is waited for, every second: its `pid` and `user`, as Process::MachineName::Holder
      # has them, and the `machine`. Raises EnvironmentError.
      #: () ?{ (Hash[Symbol, untyped]) -> void } -> void
      def reserve
        last = deadline = nil
        ask({ do: "reserve" }) do |holder|
          refuse_itself(holder)
          last, deadline = holder, Clock.deadline(BUSY_S) unless holder == last
          refuse_busy(holder) if Clock.mono_ns > deadline
          yield({ **holder.slice(:pid, :user), machine: @host }) if block_given?
        end
      end

      # Sends an order and waits for its answer; yields what is said of the load meanwhile. Raises
      # EnvironmentError if it could not be done, the agent is silent, or the connection ended.
      #: (Hash[Symbol, untyped]) ?{ (Hash[Symbol, untyped]) -> void } -> Hash[Symbol, untyped]
      def ask(order)
        write(order)
        @waiting = true
        limit_s = order[:do] == "recording" ? [RECORDING_S, @answer_s].max : @answer_s
        until (said = take(limit_s)).key?(:answer)
          next if said.key?(:alive)

          verify(said, { live: Hash })
          yield said[:live] if block_given?
        end
        @waiting = false
        answer = said[:answer]
        verify(answer, {})
        raise EnvironmentError, "the agent on #{@host}: #{answer[:error]}" if answer[:error]

        answer.tap { verify(answer, Answers::BY_ORDER.fetch(order[:do], {})) }
      end

      # Ends a load whose answer was not waited for. That answer; nil if there is none.
      #: () -> Hash[Symbol, untyped]?
      def stop
        return if @over || !@waiting

        write(do: "stop")
        deadline = Clock.deadline(STOP_S)
        said = {}
        said = take((deadline - Clock.mono_ns) / 1e9) until said.key?(:answer)
        @waiting = false
        answer = said[:answer]
        verify(answer, {})
        answer.tap { verify(answer, Answers::BY_ORDER["run"]) } unless answer[:error]
      rescue EnvironmentError
        nil
      end

      # Is there nobody to ask any more?
      #: () -> bool
      def over? = @over

      # The agent ends with its streams. Safe to call again.
      #: () -> void
      def close
        @over = true
        close_input
        return if @waiter.join(@stop_s)

        %i[TERM KILL].each { |name| signal(name) }
      ensure
        end_threads
      end

      private

      def end_threads
        [@reader, @err].each(&:kill).each(&:join)
      ensure
        @outputs.each(&:close)
      end

      def close_input
        @to.close unless @to.closed?
      rescue Errno::EPIPE
        nil # it has ended
      end

      # To ssh and what it has started (a ProxyCommand), which is a process group of its own.
      def signal(name)
        ::Process.kill(name, -@waiter.pid)
        @waiter.join(@stop_s)
      rescue Errno::ESRCH
        nil # they have ended
      end

      # Whatever interrupts a wait for it, no message is read by half.
      def receive
        there, said = @frames.greeted
        said.each { |line| say(line) }
        while there && (message = @frames.read)
          @messages << message
        end
      rescue EnvironmentError => error
        say(error.message)
      rescue IOError
        nil # closed
      ensure
        @messages.close
      end

      def say(line)
        @said << line unless line.empty?
        @said.shift while @said.size > SAID
      end

      def write(order)
        @frames.write(order)
      rescue Errno::EPIPE, IOError
        lost
      rescue Frames::Stuck
        silent(@answer_s)
      end

      def take(seconds)
        @messages.take(seconds) || (@messages.closed? ? lost : silent(seconds))
      end

      def silent(seconds)
        @over = true # a late answer would be taken for that of the next order
        raise EnvironmentError, "the agent on #{@host} has not answered for #{seconds.ceil} s. " \
                                "Is that machine overloaded, or was a process stopped there?"
      end

      # types: what its values are, by their keys.
      def verify(message, types)
        return if Answers.fit?(message, types)

        @over = true
        raise EnvironmentError, "the agent on #{@host} sent a message that mohs #{VERSION} does " \
                                "not send. Install mohs there again: mohs fleet init #{@host}"
      end

      def refuse_itself(holder)
        return unless holder[:pid] == ::Process.pid && holder[:boot] == Process.boot_id

        raise EnvironmentError, "#{@host} is this machine, where the servers run: leave out " \
                                "--load-from, or name another machine."
      end

      def refuse_busy(holder)
        user = " of #{holder[:user]}" if holder[:user]
        process = " (process #{holder[:pid]}#{user})" if holder[:pid]
        raise EnvironmentError, "another mohs#{process} has been measuring on #{@host} for " \
                                "#{BUSY_S / 60} min. Wait until it has ended, or name another " \
                                "machine."
      end

      def lost
        @over = true
        @err.join(1)
        why = @said.empty? ? "the connection ended" : @said.join(" ")
        raise EnvironmentError, "no load from #{@host}: #{why}"
      end

      def local_address!(address)
        return address if Socket.ip_address_list.any? { |one| one.ip_address == address }

        raise EnvironmentError, "#{@host} sees this machine as #{address}, which is not one of " \
                                "its addresses. Name one that it can reach: --listen ADDRESS"
      end

      # The shortest of several round trips bounds what is not known: half of it (Cristian,
      # "Probabilistic clock synchronization", 1989).
      def compare_clocks
        trips = Array.new(CLOCKS) do
          before = Clock.mono_ns
          far = ask(do: "clock").fetch(:mono_ns)
          after = Clock.mono_ns
          [far - ((before + after) / 2), (after - before) / 2]
        end
        trips.min_by(&:last)
      end
    end
  end
end
