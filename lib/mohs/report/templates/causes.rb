# frozen_string_literal: true

module Mohs
  module Report
    module Templates
      # Titles of the figures of an Analysis::Explanation, their formats, and the templates of its
      # findings (`why_`).
      module Causes
        TITLES = {
          "cpu_ns" => "CPU a request", "code_ns" => "Ruby code and libraries",
          "front_ns" => "what stands in front",
          "user_ns" => "user time", "system_ns" => "time in the kernel",
          "programs_ns" => "CPU time of programs it ran",
          "gc_time_ns" => "garbage collection",
          "waiting_ns" => "time off the CPU",
          "other_wait_ns" => "waiting for neither the GVL nor a core",
          "gvl_wait_ns" => "waiting for the GVL",
          "cpu_wait_ns" => "waiting for a core", "cores_busy" => "cores kept busy",
          "minor_faults" => "minor page faults", "major_faults" => "major page faults",
          "voluntary_switches" => "voluntary context switches",
          "involuntary_switches" => "involuntary context switches",
          "threads" => "threads", "threads_busy" => "busy threads",
          "gc_count" => "garbage collections", "gc_major_count" => "major garbage collections",
          "gc_pause_ns" => "pauses for garbage collection",
          "jit_elapsed_ns" => "JIT compilation by the clock",
          "allocated_objects" => "objects allocated", "freed_objects" => "objects freed",
          "allocated_bytes" => "bytes allocated", "heap_pages" => "heap pages",
          "heap_bytes" => "heap", "live_objects" => "objects on the heap",
          "jit_code_bytes" => "JIT code", "jit_compiled_methods" => "methods compiled",
          "jit_compiled_blocks" => "blocks compiled",
          "jit_invalidations" => "JIT invalidations", "jit_exits" => "JIT exits",
          "interpreted_instructions" => "instructions interpreted",
          "pool_size" => "database pool", "pool_connections" => "database connections",
          "pool_busy" => "database connections in use",
          "pool_waiting" => "threads waiting for a connection",
        }.freeze

        # Scales for printing a figure, by the beginning of its unit: [least size, divisor, printed
        # unit].
        SCALES = {
          "ns" => [[1e6, 1e6, " ms"], [0, 1e3, " µs"]],
          "bytes" => [[1e6, 1e6, " MB"], [1e3, 1e3, " kB"], [0, 1, " bytes"]],
        }.freeze
        PLAIN = [[0, 1, ""]].freeze

        # Much smaller numbers would be printed with an exponent.
        SMALL = 0.001

        # From this share on, a cause counts as the whole difference.
        ALL = 0.9

        # Shares that add up to more look like a mistake, as another part takes some of them back.
        # They are left to a table, which has each part with its interval.
        MOST_SHARE = 1.1

        module_function

        # The text of an explanation's findings, in their order; nil if there are none.
        #: (Array[Analysis::Finding]) -> String?
        def sentence(findings)
          findings.map { |one| Render.call(one) }.join("; and ") if findings.any?
        end

        # { unit:, change:, .. } -> "-41 µs", "+1.2 ms", "+0.5", "+1.9 MB".
        #: (Hash[Symbol, untyped]) -> String
        def change(cause)
          size = amount(cause[:change].abs, cause[:unit])
          "#{cause[:change].negative? ? '-' : '+'}#{size}"
        end

        # The interval of that change, in the same unit: "[-44, -38]"; nil if there is none.
        #: (Hash[Symbol, untyped]) -> String?
        def interval(cause)
          return unless cause[:interval]

          divisor, = scale(cause[:change], cause[:unit])
          "[#{cause[:interval].map { |bound| number(bound / divisor) }.join(', ')}]"
        end

        # A figure with its unit: 41 µs, 1.2 ms, 0.5, 1.9 MB.
        #: (Numeric, String) -> String
        def amount(value, unit)
          return "0" if value.zero?

          divisor, suffix = scale(value, unit)
          "#{number(value / divisor)}#{suffix}"
        end

        # A figure that moved: "objects allocated -63 %"; by both values where it begins at nothing,
        # or where it is several times as large: "JIT code 0 -> 1.9 MB".
        #: (Hash[Symbol, untyped]) -> String
        def moved(cause)
          title = TITLES.fetch(cause[:name])
          change = cause[:ratio] && Change.of(cause[:ratio])
          return "#{title} #{change.signed}" if change && !change.times?

          a, b = cause.values_at(:a, :b).map { |value| amount(value, cause[:unit]) }
          "#{title} #{a} -> #{b}"
        end

        # Parts of a difference in CPU time with their shares: "82 % of that is garbage collection
        # (-41 µs), 12 % time in the kernel (-6 µs)". Without shares if the parts work against each
        # other or add up to more than the whole: "garbage collection -41 µs, time in the kernel +30
        # µs". rest: the unexplained share, if it is named as well.
        #: (Array[Hash[Symbol, untyped]], ?code: String, ?rest: Float?) -> String
        def parts(causes, code: TITLES.fetch("code_ns"), rest: nil)
          shared = shared?(causes, rest)
          texts = causes.map do |one|
            title = one[:name] == "code_ns" ? code : TITLES.fetch(one[:name])
            next "#{title} #{change(one)}" unless shared

            of = " of that is" if one.equal?(causes.first)
            "#{Numbers.percent(one[:share])}#{of} #{title} (#{change(one)})"
          end
          both = " (some of it in both)" if forward?(causes) && !shared?(causes, nil) &&
                                            overlap?(causes)
          "#{texts.join(', ')}#{both}"
        end

        # Whether the shares look like parts of one whole. They may add up to more if a part isn't
        # named because it did not move beyond chance.
        #: (Array[Hash[Symbol, untyped]], Float?) -> bool
        def shared?(causes, rest)
          forward?(causes) && (causes.sum { |one| one[:share] } + rest.to_f).round(2) <= 1
        end

        #: (Array[Hash[Symbol, untyped]]) -> bool
        def forward?(causes) = causes.all? { |one| one[:share]&.positive? }

        # ", 12 % not explained"; without the share if the parts have none, or if it isn't known.
        #: (Hash[Symbol, untyped]) -> String
        def rest(values)
          rest, unknown, parts = values.values_at(:rest, :rest_unknown, :parts)
          return "; the rest is not explained by what was measured" \
            if unknown || (rest && !shared?(parts, rest))

          rest ? ", #{Numbers.percent(rest)} not explained" : ""
        end

        # Whether both parts are named that include what a collection spends in the kernel.
        #: (Array[Hash[Symbol, untyped]]) -> bool
        def overlap?(causes) = (%w[gc_time_ns system_ns] - causes.map { |one| one[:name] }).empty?

        # The name of Ruby code as a cause, by the JITs of both sides: a JIT is a reason only if one
        # side alone uses it.
        #: ([Array[String?], Array[String?]]) -> String
        def code(jits)
          a, b = jits.map { |one| one.compact.map { |jit| jit == "off" ? jit : jit.upcase } }
          return TITLES.fetch("code_ns") if a.empty? || b.empty?
          return "Ruby code, compiled by #{b.join(', ')}" if a == %w[off]
          return "Ruby code, no longer compiled by #{a.join(', ')}" if b == %w[off]

          TITLES.fetch("code_ns")
        end

        # Two significant digits, however small: 0.000013.
        def number(value)
          return Numbers.short(value) if value.zero? || value.abs >= SMALL

          format("%.*f", 1 - Math.log10(value.abs).floor, value)
        end

        def scale(value, unit)
          SCALES.fetch(unit[/\A[a-z]+/], PLAIN).find { |from, *| value.abs >= from }.drop(1)
        end

        # What requests waited for.
        def waits(waits)
          named = waits.map { |one| "#{TITLES.fetch(one[:name])} #{change(one)}" }
          named.empty? ? "" : "; #{named.join(', ')} a request"
        end

        def processes(workers)
          a, b = workers.map { |counts| counts.first if counts.one? }
          return "" if a.nil? || b.nil? || a == b

          " (#{Numbers.counted(b, 'process', 'processes')} in place of #{a})"
        end

        def unexplained(where)
          named, further = ": #{parts([where])}", " further" if where
          "#{named}, not explained#{further} by what was measured"
        end

        # Only one side has a JIT, which is a reason even where its parts may be chance.
        def compiled(where, jits)
          return ": #{parts([where], code: code(jits))}" if where

          ": #{code(jits)}; each part of the time by itself may be chance"
        end

        def listed(values) = values[:beside].map { |cause| moved(cause) }.join("; ")

        def beside(values) = values[:beside].any? ? "; #{listed(values)}" : ""

        private_class_method :number, :scale, :unexplained, :compiled, :waits, :processes,
                             :listed, :beside, :forward?, :shared?, :rest

        TEXTS = {
          "why_cpu" => lambda do |values, numbers|
            named = parts(values[:parts], code: code(values[:jits]), rest: values[:rest])
            "CPU a request #{numbers.signed(values[:ratio])}: #{named}#{rest(values)}" \
              "#{beside(values)}"
          end,
          "why_unexplained" => lambda do |values, numbers|
            where, jits = values.values_at(:where, :jits)
            named = jits ? compiled(where, jits) : unexplained(where)
            "CPU a request #{numbers.signed(values[:ratio])}#{named}#{beside(values)}"
          end,
          "why_against" => lambda do |values, numbers|
            "not explained by what was measured: CPU a request " \
              "#{numbers.signed(values[:ratio])}, which works against the difference"
          end,
          "why_cores" => lambda do |values, numbers|
            a, b = values[:cores].values_at(:a, :b).map { |count| numbers.short(count) }
            workers, waits = values.values_at(:workers, :waits)
            share = ", #{numbers.percent(values[:share])} of the difference" if values[:share] < ALL
            "#{b} cores kept busy in place of #{a}#{processes(workers)}#{share}#{waits(waits)}" \
              "#{beside(values)}"
          end,
          "why_waiting" => lambda do |values, numbers|
            "latency #{numbers.signed(values[:ratio])}: #{parts([values[:part]])}"
          end,
          "why_memory" => ->(values, _) { listed(values) },
          "explain_pair" => "B, %{b}, against A, %{a}",
          "explain_tested" => "the table has what moved beyond chance: CPU time, cores kept " \
                              "busy, waiting and the other figures, each family at 5 % (Holm); " \
                              "intervals are of 95 %, each alone",
          "explain_compared" => "by the verdict's own test: without the blocks that it trims, " \
                                "and adjusted for core speed if the verdict is; all slices: " \
                                "pauses included, which is what the parts add up to",
          "explain_apart" => "the server worked while no load ran: what was read of its CPU time " \
                             "is not that of its requests, so parts have no shares",
          "explain_beyond" => lambda do |values, _|
            both = ": what a collection spends in the kernel is in both" if values[:both]
            "they add up to more than the difference, so the table has no shares#{both}"
          end,
          "explain_untested" => "%{needed} cohorts are needed to tell what moved from chance: " \
                                "shares have no intervals",
          "why_not_measured" => lambda do |values, _|
            cores = ", nor do the cores kept busy" unless values[:cores]
            others = "; what does differ: #{listed(values)}" if values[:beside].any?
            "not yet explained: CPU a request does not differ beyond chance" \
              "#{cores}#{others}"
          end,
        }.freeze
      end
    end
  end
end
