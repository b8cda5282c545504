# frozen_string_literal: true

module Mohs
  module Fleet
    # Measures cohorts on this host, one at a time, as they come: those of one run in a process of
    # their own (BenchProcess).
    class Worker
      # A host that is silent for longer holds no job: without this a cable that was pulled would
      # keep its job for two hours, and the worker would go on. For the server's side of a session,
      # as libpq takes it from the environment.
      OF_SERVER = Store::Connection::KEEPALIVE.except(:keepalives).map { |name, value|
        "-c #{name.to_s.sub(/\Akeepalives/, 'tcp_keepalives')}=#{value}"
      }.join(" ").freeze
      VARIABLE = "PGOPTIONS"
      POLL_S = 0.4
      # For so long the process of a run waits for its next cohort.
      IDLE_S = 60

      # How long a cohort under way has to stop its servers.
      GRACE_S = 20

      # The session with the database has ended, and with it the right to measure: nothing can be
      # given back. Whoever rescues it ends this process at once, and so the cohort under way.
      class Lost < StoreError; end

      class << self
        # The one of this process, which jobs are measured by.
        #: () -> Fleet::Worker?
        attr_accessor :current

        # Whatever connects from this process on, and from its children, is watched by the server.
        #: (?Hash[String, String]) -> void
        def watched(env = ENV)
          env[VARIABLE] = [OF_SERVER, *env[VARIABLE]].join(" ")
        end

        # The URL of a database, with what its session is watched by.
        #: (String) -> String
        def lively(url)
          own = Store::Connection.keepalive(url).map { |pair| pair.join("=") }.join("&")
          "#{url}#{url.include?('?') ? '&' : '?'}#{own}"
        end
      end

      # url: of the store. name: of this host. tell: called with a line about what it does.
      #: (store: Store, url: String, name: String, ?tell: ^(String) -> void) -> void
      def initialize(store:, url:, name:, tell: ->(_line) {})
        @store = store
        @url = url
        @name = name
        @tell = tell
        @fingerprint = Probes::Host.fingerprint
        @measuring = Monitor.new
      end

      #: () -> Array[String]
      def queues = [Fleet.queue_of(@name), Fleet.queue_of_kind(@fingerprint)]

      # Works until the block returns. Raises EnvironmentError if this host can't, Lost.
      #: () { () -> void } -> void
      def call(&)
        Worker.watched
        Queue.new(@store)
        refuse_pooler
        refuse_twice
        Process::ScratchFolder.with do |folder|
          @folder = folder
          work(&)
        end
      end

      # Measures one. Raises Error if it has to be tried again: mohs itself failed, or another
      # process has it, which may die.
      #: (Integer) -> void
      def measure(cohort_id)
        @cohort_id = cohort_id
        seen
        outcome = @measuring.synchronize { on_bench(cohort_id) }
        @tell.call("cohort #{cohort_id}: #{outcome}")
        raise Error, "cohort #{cohort_id} is measured elsewhere" if outcome == "elsewhere"
      ensure
        @cohort_id = nil
        seen
      end

      private

      def work
        Worker.current = self
        seen
        beating = beat
        locker = listen
        yield
      rescue ::PG::Error => error
        first = error.message.strip.lines.first&.chomp
        raise lost = Lost, "the session with the database has ended (#{first}). Another host " \
                           "measures what was under way; start mohs worker again."
      ensure
        stop(locker, beating) if beating && lost.nil?
      end

      # An error in its thread is raised in ours, which tells it.
      def listen
        before, Thread.report_on_exception = Thread.report_on_exception, false
        ::Que::Locker.new(queues:, connection_url: Worker.lively(@url), poll_interval: POLL_S,
                          maximum_buffer_size: 0, worker_priorities: [nil])
      ensure
        Thread.report_on_exception = before
      end

      # What became of it.
      def on_bench(cohort_id)
        return "over" unless @store.cohort?(cohort_id)

        bench(@store.cohort(cohort_id).run_id)
          .measure(cohort_id) { @until_ns && Clock.mono_ns > @until_ns }
      rescue Error
        leave_bench
        raise
      ensure
        @idle_ns = Clock.mono_ns
      end

      # The process for that run.
      def bench(run_id)
        leave_bench unless @bench&.run_id == run_id && @bench.alive?
        @bench ||= BenchProcess.new(run_id, host: @name, folder: @folder)
      end

      def leave_bench
        @bench&.close
      ensure
        @bench = nil
      end

      # Not while it measures.
      def rest
        return unless @bench && @measuring.try_enter

        begin
          leave_bench if @idle_ns && Clock.mono_ns - @idle_ns > IDLE_S * 1e9
        ensure
          @measuring.exit
        end
      end

      # A pooler gives each statement whatever session is free, and invents the number of the
      # client's.
      def refuse_pooler
        told, real = @store.beside do |database|
          database.synchronize do |session|
            [session.backend_pid, session.exec("SELECT pg_backend_pid()").getvalue(0, 0).to_i]
          end
        end
        return if told == real

        raise EnvironmentError, "a pooler (pgbouncer) is between this host and the database, and " \
                                "holds no lock for a session: give workers the address of the " \
                                "database itself (MOHS_DATABASE_URL)."
      end

      # Two of one name would share what is bound to one host.
      def refuse_twice
        other = @store.hosts.find { |host| host.name == @name }
        return if other.nil? || other.silent? || !Mohs::Cohort::Token.alive?(other.token)

        raise EnvironmentError, "a host named #{@name} is in the fleet already. Give this one " \
                                "another --name; or wait for #{Store::Host::SILENT_S.round} s if " \
                                "that one is gone."
      end

      def seen
        @store.see_host(@name, fingerprint: @fingerprint, queues:, cohort: @cohort_id,
                               version: VERSION, token: Mohs::Cohort::Token.own)
      end

      def beat
        Thread.new do
          loop do
            sleep Store::Host::SEEN_S
            rest
            seen
          rescue StoreError
            nil # the next may get through; the session of the queue decides
          end
        end
      end

      # The cohort under way is given back at once: it is queued again, and another host has it. Its
      # process is waited for, and if need be killed, by the thread that waits for the cohort.
      def stop(locker, beating)
        beating.kill
        @until_ns = Clock.deadline(GRACE_S)
        @bench&.give_back
        locker&.stop!
        leave_bench
        @store.forget_host(@name)
      end
    end
  end
end
