# frozen_string_literal: true

require "etc"

module Mohs
  module Rubies
    # All Rubies of a machine: the finders' candidates, each identified once, in parallel, and
    # cached.
    class Inventory
      # The source of a Ruby whose path the user typed.
      NAMED = "named"

      # Runs short commands in the user's environment `env`, without mohs' own variables.
      #: (Hash[String, String]) -> Proc
      def self.capture(env)
        spawner = Process::Spawner.new(base_env: Process::Environment.clean(env))
        ->(command, timeout_s:) { Process::Capture.call(command, timeout_s:, spawner:) }
      end

      #: (?env: Hash[String, String], ?capture: _Call?, ?candidates: Array[[String, String]]?, ?cache: Cache?) -> void
      def initialize(env: ENV.to_h, capture: nil, candidates: nil, cache: nil)
        @env = env
        @capture = capture || self.class.capture(env)
        @candidates = candidates
        @cache = cache || Cache.new(folder: Folders.cache(env), env:)
      end

      # CRubies from oldest to newest, then the others; the block is called with each Ruby that had
      # to be probed, as it responds.
      #: () ?{ (Ruby) -> void } -> Array[Ruby]
      def rubies(&progress)
        known = candidates.map { |source, path| [source, path, cached(path, source)] }
        asked = ask(known.reject(&:last), progress)
        found = known.map { |_, path, ruby| ruby || asked.fetch(path) }
        Naming.distinguish(found.uniq { |ruby| self_of(ruby) }).sort_by { |ruby| rank(ruby) }.freeze
      end

      # The Ruby at `path`, which may be unknown to the finders.
      #: (String) -> Ruby
      def identify(path)
        cached(path, NAMED) || probe.call(path, source: NAMED).tap { |ruby| @cache.store([ruby]) }
      end

      private

      # Who asked first does not matter: otherwise a Ruby that a user has named would later count as
      # one on PATH.
      def cached(path, source)
        ruby = @cache.fetch(path)
        ruby && Ruby.new(**ruby.to_h, source:).freeze
      end

      # One executable is one Ruby, however many links point to it.
      def candidates
        @unique ||= (@candidates || Finders.candidates(@env)).uniq { |_, path| File.realpath(path) }
      end

      # One thread per core: starting a JVM keeps one core busy.
      def ask(unknown, progress)
        queue = Queue.new
        unknown.each { |source, path, _| queue << [source, path] }
        queue.close
        answers = Queue.new
        threads = Array.new([Etc.nprocessors, unknown.size].min) do
          Thread.new { work(queue, answers) }
        end
        asked = Array.new(unknown.size) { answers.pop.tap { |ruby| answered(ruby, progress) } }
        asked.to_h { |ruby| [ruby.path, ruby] }
      ensure
        threads&.each(&:kill)&.each(&:join)
      end

      def answered(ruby, progress)
        raise ruby if ruby.is_a?(Exception)

        @cache.store([ruby]) # now: if the user interrupts, this one is not probed again
        progress&.call(ruby)
      end

      # An exception in a thread must reach the caller, who would otherwise wait forever.
      def work(queue, answers)
        while (source, path = queue.pop)
          answers << probe.call(path, source:)
        end
      rescue StandardError => error
        answers << error
      end

      def probe
        Probe.new(env: @env, capture: @capture,
                  neighbours: candidates.map { |_, path| File.dirname(path, 2) })
      end

      # bin/ruby and bin/jruby of one JRuby are two files and one Ruby.
      def self_of(ruby)
        ruby.ok? ? [File.dirname(File.realpath(ruby.path)), ruby.description] : ruby.path
      end

      def rank(ruby)
        [ruby.engine == Engines::REFERENCE ? 0 : 1, ruby.engine, ruby.gem_version, ruby.name]
      end
    end
  end
end
