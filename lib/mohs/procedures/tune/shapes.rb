# frozen_string_literal: true

module Mohs
  module Tune
    # The settings of a tuning by their processes and threads, and which of them differ in nothing
    # else. Pure.
    class Shapes
      PARTS = %w[processes threads config].freeze
      FORKING = %w[preload refork].freeze
      private_constant :PARTS, :FORKING

      # trials: those with figures.
      #: (Study, Array[Store::Trial]) -> void
      def initialize(study, trials)
        @study = study
        @trials = trials
      end

      # [processes, threads] as declared, else as the servers attested.
      #: (String) -> [Integer?, Integer?]
      def of(name)
        variant = @study.variant(name)
        return [variant.processes, variant.threads] if variant.processes

        trials(name).last&.attested.to_h.values_at(:workers, :threads)
      end

      #: () -> Hash[String, [Integer?, Integer?]]
      def to_h = @study.variants.to_h { |variant| [variant.name, of(variant.name)] }

      # Requests that a setting works on at a time; without limit for fibers.
      #: (String) -> Numeric
      def slots(name)
        processes, threads = of(name)
        (processes || 1) * (threads || Float::INFINITY)
      end

      # Has the second as many processes as the first, and fewer threads in each?
      #: (String, String) -> bool
      def fewer_threads?(one, other)
        (processes, threads), (others, fewer) = [one, other].map { |name| of(name) }
        processes == others && !threads.nil? && !fewer.nil? && fewer < threads
      end

      # Does the setting declare its number of threads, and are all of them busy in the race?
      #: (String) -> bool
      def all_busy?(name)
        variant, given = @study.variant(name), @study.connections
        !variant.threads.nil? && (given.nil? || variant.slots <= given)
      end

      # The settings that differ from this one in processes and threads alone, itself included.
      #: (String) -> Array[Study::Variant]
      def alike(name)
        own = @study.variant(name)
        @study.variants.select { |one| alike?(one, own) }
      end

      # Names of the settings that a setting with a file of its own is as well, as servers attested:
      # as many processes, forked in the same way, as many threads in each, and nothing else that
      # differs.
      #: (String) -> Array[String]
      def twins(name)
        own = of(name)
        return [] unless @study.variant(name).config && own.all?

        (alike(name).map(&:name) - [name]).select do |one|
          of(one) == own && forking(one) == forking(name)
        end
      end

      # Do all settings differ in processes and threads alone?
      #: () -> bool
      def all_alike?
        first, *others = @study.variants.reject(&:refusal)
        others.all? { |one| alike?(one, first) }
      end

      # What --settings takes for this setting, "2x3"; nil if it has a file of its own, or no number
      # of threads, or if --settings would take those of other variants, too.
      #: (String) -> String?
      def typed(name)
        variant = @study.variant(name)
        return if variant.config || variant.threads.nil?

        "#{variant.processes}x#{variant.threads}" if
          @study.variants.all? { |one| alike?(one, variant) }
      end

      # Names of the neighbours that differ in nothing else and have no file of their own.
      #: (String) -> Array[String]
      def neighbours(name)
        names = alike(name).reject(&:config).to_h { |one| [[one.processes, one.threads], one.name] }
        names.values_at(*Neighbours.of(of(name), names.keys))
      end

      # [connections to the database, threads] of each process of a setting; nil if unknown.
      #: (String) -> [Integer, Integer]?
      def pool_of(name)
        threads = of(name).last
        sizes = trials(name).filter_map { |one| one.attested[:pool] }
        [sizes.max, threads] if threads && sizes.any?
      end

      # A finding about settings that have fewer connections to the database than threads.
      #: () -> Analysis::Finding?
      def small_pools
        short = @study.variants.filter_map do |variant|
          size, threads = pool_of(variant.name)
          [variant.name, threads, size] if size && size < threads
        end
        return if short.empty?

        Analysis::Finding.note("pool_below_threads", names: short.map(&:first).join(", "),
                                                     threads: short.map { |one| one[1] }.minmax,
                                                     pool: short.map(&:last).min)
      end

      private

      # How its processes are forked, as its servers attested.
      def forking(name)
        trials(name).last&.attested.to_h.values_at(*FORKING.map(&:to_sym))
      end

      # A single process forks none.
      def alike?(one, other)
        forked = [one, other].all? { |variant| variant.processes.to_i > 1 }
        (one.difference(other) - PARTS - (forked ? [] : FORKING)).empty?
      end

      def trials(name) = @trials.select { |one| one.variant == name }
    end
  end
end
