# frozen_string_literal: true

module Mohs
  class Study
    # What is held equal across variants, so that a comparison of shapes (1x16, 2x8, 4x4) compares
    # nothing else: `concurrency`, the requests that a server works on at the same time (processes x
    # threads), and `memory_bytes`, the memory that its processes may need at rest after the load.
    # Cores are the same for all variants anyway (Study::Cores). nil: not held. A variant with
    # another concurrency is refused before anything is measured; running servers are checked by
    # Analysis::Checks::Held.
    class Hold < Struct.new(:concurrency, :memory_bytes, keyword_init: true)
      include Value

      COUNT = /\A[1-9]\d*\z/
      SIZE = /\A(?<number>\d+(?:\.\d+)?)\s*(?<unit>[kMG]i?B)\z/
      UNITS = { "kB" => 1e3, "MB" => 1e6, "GB" => 1e9,
                "kiB" => 1 << 10, "MiB" => 1 << 20, "GiB" => 1 << 30 }.freeze

      class << self
        # given: what the user wrote, { "concurrency" => "16", "memory" => "512MB" }. Raises
        # UsageError.
        #: (Hash[String, String]) -> Study::Hold
        def parse(given)
          others = given.keys - %w[concurrency memory]
          raise UsageError, "#{others.first}: can't be held equal: concurrency or memory can" \
            if others.any?

          new(concurrency: count(given["concurrency"]), memory_bytes: bytes(given["memory"]))
        end

        # Parses what is typed: "512MB"; nil gives nil. Raises UsageError.
        #: (String?) -> Integer?
        def bytes(text)
          return if text.nil?

          match = SIZE.match(text)
          size = match ? (match[:number].to_f * UNITS.fetch(match[:unit])).round : 0
          return size if size.positive?

          raise UsageError, "memory #{text.inspect}: write a size with its unit, 512MB"
        end

        private

        def count(text)
          return text && Integer(text, 10) if text.nil? || text.match?(COUNT)

          raise UsageError, "concurrency #{text.inspect}: write how many requests at a time: 16"
        end
      end

      # Raises UsageError if a variant is declared with another concurrency. Numbers of a variant
      # with its own configuration file, or of a running server, are only known once it serves.
      #: (Array[Study::Variant], servers: Module) -> void
      def verify(variants, servers:)
        return if concurrency.nil?

        variants.each do |variant|
          next if variant.refusal || variant.url || variant.slots == concurrency
          next if variant.processes.nil?

          raise UsageError, "#{misfit(variant)}, and the study holds " \
                            "#{[concurrency, *fitting(variant, servers)].join(': ')}"
        end
      end

      private

      def misfit(variant)
        return "#{variant.name.inspect} limits no number of requests" if variant.slots.nil?

        "#{variant.name.inspect} works on #{variant.slots} requests at a time"
      end

      # Settings of the same server that fit; nil if the processes don't divide the concurrency.
      def fitting(variant, servers)
        server = servers.fetch(variant.server)
        threads = variant.threads or return
        return "#{server.label}:#{concurrency / threads}" unless server.capabilities[:threads]

        processes = variant.processes
        "#{server.label}:#{processes}x#{concurrency / processes}" \
          if (concurrency % processes).zero?
      end
    end
  end
end
