# frozen_string_literal: true

module Mohs
  module Fleet
    # Measures cohorts on this host, one at a time, as they come: each in a process of its own below
    # a supervisor, so that nothing is left of it when this process ends, however it does.
    class Worker
      # A host that is silent for longer holds no job: without this a cable that was pulled would
      # keep its job for two hours, and the worker would go on. For the server's side of a session,
      # as libpq takes it from the environment.
      OF_SERVER = Store::Connection::KEEPALIVE.except(:keepalives).map { |name, value|
        "-c #{name.to_s.sub(/\Akeepalives/, 'tcp_keepalives')}=#{value}"
      }.join(" ").freeze
      VARIABLE = "PGOPTIONS"
      POLL_S = 0.4
      WAIT_S = 1
      LINES = 5

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
        work(&)
      end

      # Measures one, in a child process. Raises Error if mohs itself failed, so that it is tried
      # again.
      #: (Integer) -> void
      def measure(cohort_id)
        @cohort_id = cohort_id
        seen
        status, said = run(cohort_id)
        @tell.call(said.lines.last.to_s.chomp)
        raise Error, "cohort #{cohort_id}: #{status}: #{said}" unless status.success?
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

      # How it ended, and its last lines.
      def run(cohort_id)
        argv = Fleet.mohs("run-cohort", cohort_id.to_s, "--host", @name)
        command = Process::Command.new(argv:)
        spawner = Process::Spawner.new(base_env: ENV.to_h)
        Process::ScratchFolder.with do |folder|
          child = @child = spawner.spawn(command, log: File.join(folder, "log"))
          until (status = child.wait(WAIT_S))
            child.kill if @until_ns && Clock.mono_ns > @until_ns
          end
          [status, child.log_tail(LINES)]
        ensure
          @child = nil
          child&.kill
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
            seen
          rescue StoreError
            nil # the next may get through; the session of the queue decides
          end
        end
      end

      # The cohort under way is given back at once: it is queued again, and another host has it. Its
      # process is waited for, and if need be killed, by the thread that started it.
      def stop(locker, beating)
        beating.kill
        @until_ns = Clock.deadline(GRACE_S)
        @child&.signal("TERM")
        locker&.stop!
        @store.forget_host(@name)
      end
    end
  end
end
