# frozen_string_literal: true

module Mohs
  # The contract of servers, as tests: what a member claims is what its verification sees. The
  # probes are those of `mohs servers --verify`.
  module ServerSuite
    CACHE = File.join(Mohs.root, "tmp", "test-cache")

    SENTENCES = {
      processes: "runs in as many processes as asked for, and each answers",
      threads: "works on as many requests at once as it has threads",
      fibers: "holds several requests in one thread",
      keep_alive: "keeps connections as it says",
      unix: "listens on a unix socket",
      preload: "loads the application once for all processes",
      workers: "answers from every process",
      counted: "works in no process whose CPU time is not counted",
      survives: "survives clients that leave in the middle of a request",
      drains: "answers requests under way when it is stopped, or is known not to",
      ends: "ends by its stop signal with all its processes, or is known not to",
      restarts: "starts again on the same port at once, or is known not to",
      reports: "reports a broken application with its log, or is known not to",
    }.freeze
    # What no server claims, so that it only has to be found out.
    FOUND_OUT = { streaming: "a body without length", websocket: "a hijacked connection",
                  connections: "connections that stay open",
                  proxy_needed: "clients that send slowly" }.freeze

    # Event streams that servers held, by plain sockets and an application of their own, with their
    # default settings: five threads, fibers, one process without threads.
    HELD = { "puma" => 4, "falcon" => 1000, "unicorn" => 0, "pitchfork" => 0 }.freeze

    # The tests of one server on one Ruby, which boot it once for all of them.
    #: (singleton(TestCase), singleton(Servers::Base), Rubies::Ruby) -> void
    def self.define(test_case, server, ruby)
      Cell.new(server, ruby).define(test_case)
    end

    # Command lines of processes that still run an application of these tests.
    #: () -> Array[String]
    def self.leftovers
      Dir.glob("/proc/[0-9]*").filter_map do |path|
        ours = File.binread("#{path}/environ").include?("MOHS_VERIFICATION=#{Dir.tmpdir}/")
        File.read("#{path}/cmdline").tr("\0", " ") if ours
      rescue SystemCallError
        nil
      end
    end

    # One server on one Ruby.
    class Cell
      attr_reader :server, :name

      def initialize(server, ruby)
        @server = server
        @ruby = ruby
        @name = "#{server.label} on #{ruby.name}"
      end

      def define(test_case)
        boots(test_case)
        claims.each { |trait, claim| claimed(test_case, trait, claim) }
        FOUND_OUT.each { |trait, what| found_out(test_case, trait, what) }
        held(test_case) if HELD.key?(server.label)
        test_case.test("#{name} leaves no process behind", &nothing_left(self))
      end

      def result = @result ||= verification.call(server, @ruby)

      # Why its program can't run on this system at all; nil if it can.
      def refusal = Verification.refusal(server, @ruby)

      # Whether its gems can't be installed for this Ruby, other than that of the tests.
      def not_to_be_had?
        !result.verified? && result.seconds.nil? && @ruby != Rubies.find(RbConfig.ruby)
      end

      private

      # Gems that the other tests have installed are copied.
      def verification
        ServerGems.install
        env = ENV.to_h.merge("XDG_CACHE_HOME" => CACHE, "GEM_PATH" => ServerGems::FOLDER)
        cache = Verification::Cache.new(folder: File.join(Dir.tmpdir, "verified"))
        Verification.new(env:, cache:, lock: FreeMachine.new)
      end

      def claims = Verification::Claims.of(server, @ruby.engine).slice(*SENTENCES.keys)

      def boots(test_case)
        cell = self
        test_case.test("#{name} boots and answers") do
          skip cell.refusal.to_s if cell.refusal
          skip cell.result.reason.to_s if cell.not_to_be_had?

          assert_predicate cell.result, :verified?,
                           "#{cell.result.reason}\n#{cell.result.log_tail}"
        end
      end

      def claimed(test_case, trait, claim)
        cell = self
        test_case.test("#{name} #{SENTENCES.fetch(trait)}") do
          skip cell.result.reason.to_s unless cell.result.verified?
          seen = cell.result.traits[trait]
          next assert_includes([true, false], seen.seen) if claim.nil?

          seen ? assert_equal(claim, seen.seen, "#{trait}: #{seen.to_h}") : refute(claim, trait)
        end
      end

      def found_out(test_case, trait, what)
        cell = self
        test_case.test("what #{name} does with #{what} is found out") do
          skip cell.result.reason.to_s unless cell.result.verified?

          assert_includes [true, false], cell.result.traits.fetch(trait).seen
        end
      end

      def held(test_case)
        cell = self
        test_case.test("#{name} holds as many event streams as by plain sockets") do
          skip cell.result.reason.to_s unless cell.result.verified?
          seen = cell.result.traits.fetch(:connections)

          assert_equal [1000, HELD.fetch(cell.server.label)], [seen.asked, seen.counted],
                       seen.reason.to_s
        end
      end

      def nothing_left(cell)
        proc do
          cell.result
          assert_empty ServerSuite.leftovers
        end
      end
    end
  end
end
