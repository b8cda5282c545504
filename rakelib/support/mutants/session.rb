# frozen_string_literal: true

module Mutants
  # Makes the mutants of some rooms, tries a sample of them, and reports how many are killed.
  class Session
    # How many of 100 mutants must be killed.
    GOAL = 85

    # `count` nil: all. `only`: a file, or file:line. `listed`: only those listed as equivalent.
    Options = Struct.new(:rooms, :count, :seed, :only, :listed, :jobs, keyword_init: true) do
      # Options from the variables that `rake mutants` takes.
      #: (Hash[String, String], Array[String]) -> Options
      def self.from(env, rooms)
        room = env.fetch("ROOM", "all")
        known = [*rooms, "all"]
        raise Error, "ROOM=#{room}: one of #{known.join(', ')}" unless known.include?(room)

        count = env.fetch("COUNT") { env["FILE"] || env["LISTED"] ? "all" : "300" }
        new(rooms: room == "all" ? rooms : [room], only: env["FILE"], listed: env["LISTED"],
            count: count == "all" ? nil : Integer(count),
            seed: Integer(env.fetch("SEED", "1")), jobs: Integer(env.fetch("JOBS", "1")))
      end
    end

    #: (String, Options, rooms: Hash[String, [Array[String], Array[String]]], equivalents: Equivalents, out: IO, progress: IO) -> void
    def initialize(root, options, rooms:, equivalents:, out: $stdout, progress: $stderr)
      @root = root
      @options = options
      @rooms = rooms.slice(*options.rooms)
      @equivalents = equivalents
      @out = out
      @progress = progress
    end

    # Prints the mutants that would be tried.
    #: () -> bool
    def list
      sample.each { |_, mutation| @out.puts mutation }
      true
    end

    # Whether enough mutants are killed and the list of equivalent ones is right.
    #: () -> bool
    def call
      Report.new(outcomes, @equivalents, stale:, goal: GOAL, seed: @options.seed).then do |report|
        @out.puts report.lines
        raise Interrupt if @interrupted

        report.good?
      end
    end

    private

    # [[room, mutation]]
    def all
      @all ||= @rooms.flat_map do |room, (sources, _)|
        files(sources).flat_map do |file|
          source = File.read(File.join(@root, file), encoding: "UTF-8")
          Operators.of(file, source).map { |mutation| [room, mutation] }
        end
      end
    end

    def sample
      @sample ||= begin
        wanted = all.select { |_, mutation| wanted?(mutation) }
        count = @options.count || wanted.size
        wanted.shuffle(random: Random.new(@options.seed)).first(count)
      end
    end

    def wanted?(mutation)
      return @equivalents.include?(mutation) if @options.listed

      only = @options.only
      only.nil? || [mutation.file, "#{mutation.file}:#{mutation.line}"].include?(only)
    end

    def stale
      @equivalents.stale(all.map(&:last), @rooms.values.flat_map { |sources, _| files(sources) })
    end

    # {room => [Trial::Outcome]}
    def outcomes
      trials = sample.map(&:first).uniq.to_h do |room|
        tests = files(@rooms.fetch(room).last).map { |file| File.join(@root, file) }
        [room, Trial.new(@root, Survey.of(@root, tests))]
      end
      queue = Queue.new
      sample.each { |pair| queue << pair }
      queue.close
      work(queue, trials)
    end

    # If the session is interrupted, the mutants tried until then are reported.
    def work(queue, trials)
      done = Queue.new
      workers = Array.new(@options.jobs) do
        Thread.new do
          Thread.current.report_on_exception = false
          while (room, mutation = queue.pop)
            done << [room, trials.fetch(room).call(mutation)]
            @progress.print "\r#{done.size} of #{sample.size} mutants" if @progress.tty?
          end
        end
      end
      wait(workers)
      Array.new(done.size) { done.pop }.group_by(&:first).transform_values { |all| all.map(&:last) }
    end

    def wait(workers)
      workers.each(&:join)
    rescue Interrupt
      @interrupted = true
    ensure
      workers.each(&:kill)
      workers.each { |worker| worker.join unless worker.status.nil? }
    end

    def files(globs) = globs.flat_map { |glob| Dir.glob(glob, base: @root) }.sort.uniq
  end
end
