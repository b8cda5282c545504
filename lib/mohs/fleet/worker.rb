# frozen_string_literal: true

module Mohs
  module Fleet
    # Measures cohorts on this host, one at a time, as they come: those of one run in a process of
    # their own (RunProcess).
    class Worker
      # The server ends a session whose host stays silent for longer. Without this, a job would
      # stay locked for two hours after a cable is pulled, and the worker would go on. libpq reads
      # these settings of the server's side from the environment.
      OF_SERVER = Store::Connection::KEEPALIVE.except(:keepalives).map { |name, value|
        "-c #{name.to_s.sub(/\Akeepalives/, 'tcp_keepalives')}=#{value}"
      }.join(" ").freeze
      VARIABLE = "PGOPTIONS"
      POLL_S = 0.4
      # For so long the process of a run waits for its next cohort.
      IDLE_S = 60

      # What Attempt#settled returns once it has written to the store.
      WRITTEN = [nil, "parked"].freeze

      # How long a cohort under way has to stop its servers.
      GRACE_S = 20

      # The session with the database has ended, and with it the right to measure: nothing can be
      # given back. Whoever rescues it ends this process at once, and so the cohort under way.
      class Lost < StoreError; end

      class << self
        # The one of this process, which jobs are measured by.
        #: () -> Fleet::Worker?
        attr_accessor :current

        # Makes the server watch every later connection of this process.
        #: (?Hash[String, String]) -> void
        def enable_server_keepalives(env = ENV)
          env[VARIABLE] = watched(env)
        end

        # Makes the server watch the store's connections of a process that starts others: these find
        # PGOPTIONS as the user has set it. env: of a worker before it enables keepalives.
        #: (?Hash[String, String]) -> Hash[String, String?]
        def run_environment(env = ENV)
          { VARIABLE => env[VARIABLE], Store::Location::OPTIONS => watched(env) }
        end

        private

        # The user's options take precedence.
        def watched(env) = [OF_SERVER, *env[VARIABLE]].join(" ")
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
        @env = Worker.run_environment
        Worker.enable_server_keepalives
        Queue.new(@store)
        refuse_pooler
        refuse_twice
        Process::ScratchFolder.with do |folder|
          @folder = folder
          work(&)
        end
      end

      # Measures one. queue: of its job. Raises Error if it has to be tried again: mohs itself
      # failed, another process has it, which may die, or it is left to other hosts.
      #: (Integer, ?queue: String?) -> void
      def measure(cohort_id, queue: nil)
        @cohort_id = cohort_id
        heartbeat
        outcome = @measuring.synchronize { measure_in_process(cohort_id, queue) }
        @tell.call("cohort #{cohort_id}: #{outcome}")
        raise Error, "cohort #{cohort_id} is measured elsewhere" if outcome == "elsewhere"
      ensure
        @cohort_id = nil
        heartbeat
      end

      private

      def work
        Worker.current = self
        @working = Thread.current
        heartbeat
        beating = heartbeat_thread
        locker = start_locker
        yield
      rescue ::PG::Error => error
        raise lost = Lost, "lost the database session (#{first_line(error)}). Another host " \
                           "measures the unfinished cohort; restart mohs worker."
      ensure
        stop(locker, beating) if beating && lost.nil?
      end

      # A host that fails at once (its disk is full) is always free, and would use up the tries of
      # every cohort of its kind: it takes none again that another host of the kind has not tried.
      def leave_to_others(cohort_id)
        tried = Attempt.failed_at(@store, cohort_id)
        return unless tried.include?(@name)

        others = @store.hosts(within_s: Store::Host::SILENT_S)
                       .select { |host| host.queues.include?(queues.last) }.map(&:name) - tried
        raise Error, "cohort #{cohort_id} is left to #{others.join(', ')}: it failed here" if
          others.any?
      end

      # An error in its thread is raised in ours, which tells it.
      def start_locker
        before, Thread.report_on_exception = Thread.report_on_exception, false
        ::Que::Locker.new(queues:, connection_url: locker_address, poll_interval: POLL_S,
                          maximum_buffer_size: 0, worker_priorities: [nil])
      rescue ::PG::Error => error
        raise Store::Watch.of_login(error.message),
              "the database session that holds jobs can't begin: #{first_line(error)}"
      ensure
        Thread.report_on_exception = before
      end

      # The server watches this session even if the URL has options of its own, which take the place
      # of PGOPTIONS.
      def locker_address
        location = Store::Location.new(@url, { Store::Location::OPTIONS => ENV.fetch(VARIABLE) })
        LockerAddress.beside(@store, Store::Connection.parameters(location))
      end

      def first_line(error) = error.message.strip.lines.first&.chomp

      # What became of it.
      def measure_in_process(cohort_id, queue)
        attempt = Attempt.new(store: @store, cohort_id:, host: @name)
        settled = settled(attempt, cohort_id)
        return settled if settled

        leave_to_others(cohort_id) if queue == queues.last
        try(attempt, cohort_id)
      ensure
        @idle_ns = Clock.mono_ns
      end

      # Que tries it again every two seconds whatever this raises, and says nothing. All cohorts may
      # have this error: it is printed once, until the store takes what is written for one of them.
      def settled(attempt, cohort_id)
        attempt.settled.tap { |outcome| @trouble = nil if WRITTEN.include?(outcome) }
      rescue StoreError => error
        @tell.call("cohort #{cohort_id}: #{error.message}") unless error.message == @trouble
        @trouble = error.message
        begin
          attempt.record_failure(error)
        rescue StoreError
          nil # the first one says why
        end
        raise
      end

      # If its process ends before it has begun an attempt, this is one all the same.
      def try(attempt, cohort_id)
        before = @store.attempts(cohort_id).size
        process(@store.cohort(cohort_id).run_id)
          .measure(cohort_id) { @until_ns && Clock.mono_ns > @until_ns }
      rescue StandardError => error
        begin
          stop_process
        ensure
          counted = @until_ns || @store.attempts(cohort_id).size > before
          attempt.record_failure(error) unless counted
        end
        raise
      end

      # The process for that run. `stop` may miss one that starts at the same time.
      def process(run_id)
        refuse_stopping
        stop_process unless @process&.run_id == run_id && @process.alive?
        @process ||= RunProcess.new(run_id, host: @name, folder: @folder, env: @env.to_h)
        @process.tap { refuse_stopping }
      end

      def refuse_stopping
        raise Error, "worker #{@name} stops: its cohort is queued again" if @until_ns
      end

      # One that can't be killed may hold the machine, or disturb what is measured next: this worker
      # ends.
      def stop_process
        @process&.close
      rescue EnvironmentError => error
        @working&.raise(error) unless @until_ns
        raise
      ensure
        @process = nil
      end

      # Not while it measures.
      def stop_idle_process
        return unless @process && @measuring.try_enter

        begin
          stop_process if @idle_ns && Clock.mono_ns - @idle_ns > IDLE_S * 1e9
        ensure
          @measuring.exit
        end
      end

      # A pooler gives each statement whatever session is free, and invents the number of the
      # client's.
      def refuse_pooler
        reported, actual = @store.beside do |database|
          database.synchronize do |session|
            [session.backend_pid, session.exec("SELECT pg_backend_pid()").getvalue(0, 0).to_i]
          end
        end
        return if reported == actual

        raise EnvironmentError, "a pooler (pgbouncer) between this host and the database can't " \
                                "hold session locks: give workers the address of the " \
                                "database itself (MOHS_DATABASE_URL)."
      end

      # Two of one name would share what is bound to one host.
      def refuse_twice
        other = @store.hosts.find { |host| host.name == @name }
        return if other.nil? || other.silent? || !Mohs::Cohort::Token.alive?(other.token)

        raise EnvironmentError, "the fleet already has a host named #{@name}. Give this one " \
                                "another --name, or wait #{Store::Host::SILENT_S.round} s if the " \
                                "other is gone."
      end

      def heartbeat
        @store.see_host(@name, fingerprint: @fingerprint, queues:, cohort: @cohort_id,
                               version: VERSION, token: Mohs::Cohort::Token.own)
      end

      def heartbeat_thread
        Thread.new do
          loop do
            sleep Store::Host::SEEN_S
            show_life
          end
        end
      end

      # First, since ending a process may take longer than a host may be silent.
      def show_life
        heartbeat
        stop_idle_process
      rescue StoreError
        nil # the next may get through; the session of the queue decides
      rescue Error => error
        @tell.call(error.message) # of a process that can't be killed
      end

      # The cohort under way is given back at once: it is queued again, and another host has it. Its
      # process is waited for, and if need be killed, by the thread that waits for the cohort.
      def stop(locker, beating)
        beating.kill
        @until_ns = Clock.deadline(GRACE_S)
        @process&.give_back
        locker&.stop!
        stop_process
        @store.forget_host(@name)
      end
    end
  end
end
