# frozen_string_literal: true

module Mohs
  module Analysis
    # A check of the host that holds one number against limits: a row of TABLE. `fact` is a function
    # of what Doctor::Facts read to the values of the finding, of which :value counts; nil where it
    # can't be told. Its case is :none at 0, if `words` has that, else :measured. `spins`: does it
    # need a core for itself?
    class Threshold < Struct.new(:name, :label, :unit, :limits, :fact, :words, :remedy, :spins,
                                 keyword_init: true)
      include Value

      SHARE = "share" # 0..1

      class << self
        private

        # Of the core for which `figure` is the worst.
        def worst_core(figure, sign = 1)
          lambda do |facts|
            spin = facts[:spins]&.max_by { |one| sign * one.public_send(figure) }
            spin && { value: spin.public_send(figure), cpu: spin.cpu, longest_ns: spin.longest_ns }
          end
        end

        # Of what went on meanwhile.
        def activity(key) = ->(facts) { facts.dig(:activity, key)&.then { |value| { value: } } }

        def busiest(facts)
          share, processes = facts[:activity]&.values_at(:foreign_cpu_share, :processes)
          share && { value: share, processes: processes.first(NAMED) }
        end
      end

      BUSY = lambda do |values, numbers|
        names = values[:processes].map { |one| "#{one[:name]} #{numbers.percent(one[:share])}" }
        "#{numbers.percent(values[:value])} of the CPU#{": #{numbers.list(names)}" if names.any?}"
      end
      NAMED = 3
      UNSEEN = "not observed"
      CLOSE = "close what else runs here"

      TABLE = [
        # Share of its time that a thread which only spins was kept off its core for longer than
        # 20 us. Seen: 0.2 to 1.4 % on a quiet host, 5 to 55 % on a busy one.
        new(name: "gaps", label: "gaps", unit: SHARE, limits: Limits.new(warn: 0.02, bad: 0.10),
            fact: worst_core(:away_share), spins: true,
            words: { measured: "CPU %{cpu} was taken away %{value|percent} of the time, for " \
                               "%{longest_ns|ms} at most",
                     unknown: UNSEEN },
            remedy: "#{CLOSE}; on a virtual host, ask for cores of your own"),
        # CPU time of that thread over wall time. Where it is lower, other processes of this host
        # had the core; time that a hypervisor takes counts as our own.
        new(name: "own_cpu", label: "own CPU time", unit: SHARE, spins: true,
            limits: Limits.new(warn: 0.98, bad: 0.90), fact: worst_core(:cpu_share, -1),
            words: { measured: "a busy thread got %{value|percent} of CPU %{cpu}",
                     unknown: UNSEEN },
            remedy: CLOSE),
        # CPU time that the hypervisor gave to other guests. 0 does not mean quiet: many report
        # none.
        new(name: "steal", label: "steal", unit: SHARE, limits: Limits.new(warn: 0.01, bad: 0.05),
            fact: activity(:steal_share),
            words: { measured: "the hypervisor took %{value|percent} of the CPU",
                     unknown: "/proc/stat can't be read" },
            remedy: "ask for a host with cores of its own"),
        # CPU time that went to processes other than mohs and what it started, and to which.
        new(name: "other_processes", label: "other processes", unit: SHARE,
            limits: Limits.new(warn: 0.05, bad: 0.25),
            fact: method(:busiest),
            words: { measured: BUSY, unknown: "/proc/stat can't be read" }, remedy: "close them"),
        # Whether a control group's quota held us back: then the quota is measured, not the server.
        new(name: "throttling", label: "throttling", unit: "times", limits: Limits.new(bad: 0),
            fact: activity(:throttled),
            words: { none: "no CPU quota throttled mohs",
                     measured: "a CPU quota throttled mohs %{value|count} times",
                     unknown: "the control group of mohs can't be read" },
            remedy: "raise or remove the quota (docker --cpus, a pod's CPU limit, CPUQuota=)"),
        # Pages that went to or came from swap: any of them stalls whoever touches it.
        new(name: "swap", label: "swap", unit: "pages", limits: Limits.new(bad: 0),
            fact: activity(:swapped),
            words: { none: "nothing swapped", measured: "%{value|count} pages swapped",
                     unknown: "/proc/vmstat does not count it" },
            remedy: "free memory, then sudo swapoff -a"),
        # Share of the last ten seconds before we began in which somebody waited for a CPU
        # (/proc/pressure/cpu, "some").
        new(name: "pressure", label: "CPU pressure", unit: SHARE,
            limits: Limits.new(warn: 0.02, bad: 0.20),
            fact: ->(facts) { facts[:pressure]&.then { |percent| { value: percent / 100 } } },
            words: { measured: "a process waited for a CPU %{value|percent} of the time before",
                     unknown: "this kernel does not report it (PSI)" },
            remedy: "#{CLOSE}, or wait until it has ended"),
        # Memory that is left for servers, on the machine or under our control group's limit. A
        # cohort has up to four servers alive at once; a Rails process has 100 to 300 MB, a JVM
        # more.
        new(name: "memory", label: "memory", unit: "bytes",
            limits: Limits.new(warn: 2 * (2**30), bad: 2**29),
            fact: lambda do |facts|
              free, of_group = facts.values_at(:free_bytes, :group_free_bytes)
              free && { value: [free, of_group].compact.min }
            end,
            words: { measured: "%{value|gb} left", unknown: "/proc/meminfo can't be read" },
            remedy: "#{CLOSE}, or compare fewer variants at once"),
        # Connections that were closed in the last minute still hold their ports: the share of the
        # ports for connections that they take. (Those to other addresses count too, so it is an
        # upper bound.)
        new(name: "time_wait", label: "TIME_WAIT", unit: SHARE,
            limits: Limits.new(warn: 0.25, bad: 0.75),
            fact: lambda do |facts|
              waiting, (low, high) = facts.values_at(:time_wait, :ports)
              waiting && high && { value: waiting.fdiv(high - low + 1), waiting: }
            end,
            words: { measured: "%{waiting|count} closed connections hold %{value|percent} of " \
                               "the ports",
                     unknown: "/proc/net/sockstat can't be read" },
            remedy: "wait a minute before you measure"),
      ].to_h { |row| [row.name, row] }.freeze

      #: () -> bool
      def spins? = spins ? true : false

      # By the case, as those of Host::Base.
      #: () -> Hash[Symbol, String]
      def remedies = { measured: remedy }

      #: (Hash[Symbol, untyped]) -> Analysis::Finding
      def call(facts)
        values = fact.call(facts)
        return Finding.new(code: "#{name}.unknown", severity: :unknown) unless values

        kind = words.key?(:none) && values[:value].zero? ? "none" : "measured"
        Finding.new(code: "#{name}.#{kind}", severity: limits.severity(values[:value]), values:)
      end
    end
  end
end
