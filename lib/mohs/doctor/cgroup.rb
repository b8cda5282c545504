# frozen_string_literal: true

module Mohs
  module Doctor
    # The control groups of this process, of either version: each of them may have a limit, up to
    # the root that is visible from here. (cgroups(7); in a container without its own namespace, the
    # path in /proc/self/cgroup is outside of what is mounted: then the mount itself is our group.)
    class Cgroup
      ROOT = "sys/fs/cgroup"
      UNLIMITED_BYTES = 1 << 60 # version 1 reports "no limit" as a number near 2^63

      #: (Doctor::Reader) -> void
      def initialize(reader)
        @reader = reader
      end

      # How often we have been throttled so far, at all levels; nil if no group can be read.
      #: () -> Integer?
      def throttled
        stats = folders("cpu").filter_map { |folder| @reader.text("#{folder}/cpu.stat") }
        stats.sum { |text| text[/^nr_throttled (\d+)/, 1].to_i } if stats.any?
      end

      # CPU quota in cores; nil if there is none.
      #: () -> Float?
      def quota_cores
        quotas = folders("cpu").map { |folder| quota(folder) }
        quotas.compact.min
      end

      # The lowest memory limit in bytes; nil if there is none.
      #: () -> Integer?
      def memory_limit_bytes = folders("memory").filter_map { |folder| memory_limit(folder) }.min

      # Memory left until the nearest limit, in bytes; nil if there is no limit.
      #: () -> Integer?
      def memory_left_bytes
        folders("memory").filter_map { |folder| memory_left(folder) }.min
      end

      private

      def quota(folder)
        quota, period = @reader.text("#{folder}/cpu.max")&.split ||
                        [@reader.text("#{folder}/cpu.cfs_quota_us"),
                         @reader.text("#{folder}/cpu.cfs_period_us")]
        quota.to_f / period.to_i if quota.to_i.positive? && period.to_i.positive?
      end

      def memory_left(folder)
        limit = memory_limit(folder)
        used = @reader.number("#{folder}/memory.current") ||
               @reader.number("#{folder}/memory.usage_in_bytes")
        [limit - used, 0].max if limit && used
      end

      def memory_limit(folder)
        limit = @reader.number("#{folder}/memory.max") ||
                @reader.number("#{folder}/memory.limit_in_bytes")
        limit if limit && limit < UNLIMITED_BYTES
      end

      # For version 2, and for version 1's hierarchy with that controller: our group and its
      # ancestors.
      def folders(controller)
        lines = @reader.text("proc/self/cgroup").to_s.lines(chomp: true)
        lines.flat_map do |line|
          _, names, path = line.split(":", 3)
          mounts(names, controller).flat_map { |mount| upwards(mount, path.to_s) }
        end.uniq
      end

      def mounts(names, controller)
        return [ROOT, "#{ROOT}/unified"] if names == "" # the second one exists beside version 1
        return [] unless names.to_s.split(",").include?(controller)

        [names, controller].uniq.map { |name| "#{ROOT}/#{name}" }
      end

      def upwards(mount, path)
        parts = path.split("/").reject { |part| part.empty? || part == ".." }
        parts.size.downto(0).map { |count| [mount, *parts.first(count)].join("/") }
      end
    end
  end
end
