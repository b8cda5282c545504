# frozen_string_literal: true

require "etc"

module Mohs
  module Doctor
    # Which processes took the CPU, ours and those below us left out. Processes that began and ended
    # in between can't be named.
    module Neighbours
      # Fields of /proc/PID/stat behind the name (proc(5)): parent; user and system time in ticks.
      PARENT, USER, SYSTEM = 1, 11, 12

      One = Struct.new(:pid, :name, :parent, :ticks, keyword_init: true) { include Value }

      module_function

      # { pid => One } of every process.
      #: (Doctor::Reader) -> Hash[Integer, One]
      def read(reader)
        reader.glob("proc/[0-9]*/stat").filter_map { |path| parse(reader.text(path)) }
              .to_h { |one| [one.pid, one] }
      end

      # Those that were busy between two readings, by name: [{ name:, share: of all cores }], the
      # busiest first, none below half a percent.
      #: (Hash[Integer, One], Hash[Integer, One], seconds: Float, ?own: Integer, ?cores: Integer, ?ticks_per_s: Integer) -> Array[Hash[Symbol, untyped]]
      def busy(before, now, seconds:, own: ::Process.pid, cores: Etc.nprocessors,
               ticks_per_s: Etc.sysconf(Etc::SC_CLK_TCK))
        foreign = now.values.reject { |one| below?(one, own, now) }
        spent = foreign.group_by(&:name).transform_values do |ones|
          ones.sum { |one| one.ticks - (before[one.pid]&.ticks || 0) }
        end
        shares = spent.transform_values { |ticks| ticks / (seconds * cores * ticks_per_s) }
        shares.select { |_, share| share >= 0.005 }.sort_by { |name, share| [-share, name] }
              .map { |name, share| { name:, share: share.round(4) } }
      end

      # Names may hold anything, brackets and spaces too: the last bracket ends them.
      def parse(text)
        match = text.to_s.match(/\A(\d+) \((.*)\) (.*)\z/m) or return

        fields = match[3].split
        One.new(pid: match[1].to_i, name: match[2], parent: fields[PARENT].to_i,
                ticks: fields[USER].to_i + fields[SYSTEM].to_i)
      end

      def below?(one, root, all)
        seen = []
        while one && !seen.include?(one.pid)
          return true if one.pid == root

          seen << one.pid
          one = all[one.parent]
        end
        false
      end
      private_class_method :parse, :below?
    end
  end
end
