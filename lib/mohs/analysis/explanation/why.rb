# frozen_string_literal: true

module Mohs
  module Analysis
    class Explanation
      # Where a verdict's difference comes from, as findings: what a user would name first, and
      # what second. That is CPU time a request, by its parts; how many cores were kept busy, and
      # what requests waited for; or what takes the memory.
      class Why
        # Smaller shares of a difference are left to the whole explanation.
        LEAST_SHARE = 0.1

        # Not every change beyond chance is worth mentioning: the number of objects allocated hardly
        # differs from boot to boot.
        LEAST_RATIO = 1.05

        # From this share of a difference in latency on, what was waited for comes first.
        MOST = 0.5

        # Up to this share of the time in which a thread or process runs or is ready to, neither CPU
        # time nor cores are lacking.
        UNSATURATED = 0.5

        # How many figures of each kind are named.
        FEW = 2

        # Figures that change with a part of the CPU time, the closest to it first.
        BESIDE = {
          gc_time_ns: %i[allocated_objects allocated_bytes gc_count gc_major_count live_objects],
          code_ns: %i[jit_code_bytes interpreted_instructions],
          front_ns: [],
          system_ns: %i[minor_faults major_faults voluntary_switches involuntary_switches],
        }.freeze

        # Named if no part explains the difference: that they changed is all that is known.
        EVENTS = %i[allocated_objects minor_faults major_faults voluntary_switches
                    involuntary_switches gc_count jit_code_bytes jit_exits
                    jit_invalidations].freeze

        # Figures that may go either way: more of any other costs time.
        EITHER_WAY = %i[jit_code_bytes].freeze

        # What requests may wait for.
        WAITS = %i[gvl_wait_ns cpu_wait_ns other_wait_ns].freeze

        # Parts of memory, in bytes like memory itself.
        MEMORY = %i[jit_code_bytes heap_bytes].freeze

        #: (Analysis::Explanation) -> void
        def initialize(explanation)
          @explanation = explanation
        end

        # Findings for a verdict on this metric, the larger part first; none if nothing that was
        # read explains it, or there were too few cohorts. worse: does B do worse by it? What
        # changed in the other direction does not explain it.
        #: (Symbol, worse: bool) -> Array[Analysis::Finding]
        def findings(metric, worse:)
          return [] unless @explanation.known? && @explanation.tested?

          @worse = worse

          case metric
          when :memory_bytes then [memory].compact
          when :cpu_us_per_request then [cpu]
          when :throughput_per_s, :latency_p50_ms then speed
          else []
          end
        end

        private

        def cause(name) = @explanation.cause_of(name)

        def moved(names) = names.filter_map { |name| cause(name) }.select(&:significant)

        # Figures that changed enough to be worth mentioning.
        def far(names) = moved(names).select { |one| distance(one) >= Math.log(LEAST_RATIO) }

        def distance(cause) = cause.ratio ? Math.log(cause.ratio).abs : Float::MAX

        # A rate is cores kept busy over CPU time a request: the findings give the share of each, if
        # it changed.
        def speed
          wait = waited
          return [wait] if wait

          share = @explanation.cores_share if slower? == @worse
          cores = [share, busy(share)] if share&.>=(LEAST_SHARE) && moved([:cores_busy]).any?
          rest = [1 - share, cpu] if share&.<=(1 - LEAST_SHARE) && @explanation.differs?
          parts = [cores, rest].compact.sort_by { |of, _| -of }.map(&:last)
          parts.empty? ? [cpu] : parts
        end

        def cpu
          return undecided unless @explanation.differs?

          ratio = @explanation.compared.value
          return Finding.note("why_against", ratio:) unless (ratio > 1) == @worse

          parts = @explanation.parts.select { |one| (one.share || 1).abs >= LEAST_SHARE }
          against, towards = parts.partition { |one| one.share&.negative? }
          towards.empty? ? unexplained(against) : explained((towards + against).first(FEW))
        end

        # Something may have changed beyond chance even if CPU time as a whole did not.
        def undecided
          Finding.note("why_not_measured", cores: moved([:cores_busy]).any?,
                                           beside: plain(parts_along + events))
        end

        def parts_along = along(@explanation.parts, up: @worse).first(FEW)

        # Events that changed in the direction of the difference: no server is faster by allocating
        # more.
        def events = along(beside(EVENTS), up: @worse).max_by(FEW) { |one| distance(one) }

        # The amount of machine code says something only if the other side has none.
        def beside(names)
          far(@explanation.one_compiles? ? names : names - [:jit_code_bytes])
        end

        def along(causes, up:)
          causes.select { |one| EITHER_WAY.include?(one.name) || one.change.positive? == up }
        end

        # Is B slower by the totals?
        def slower? = cause(:cores_busy).ratio < @explanation.cpu.ratio

        def explained(parts)
          beside = parts.filter_map do |part|
            along(beside(BESIDE.fetch(part.name)), up: part.change.positive?).first
          end
          Finding.note("why_cpu", ratio: @explanation.compared.value, parts: plain(parts), **rest,
                                  beside: plain(beside), jits: @explanation.attested(:jit))
        end

        # The unexplained share, if it is known and worth mentioning: there is a rest even if its
        # share is unknown.
        def rest
          rest = @explanation.unexplained
          return { rest: nil } if rest.nil? || rest.value < LEAST_SHARE

          telling = Explanation.telling?(rest.low, rest.high)
          telling ? { rest: rest.value } : { rest: nil, rest_unknown: true }
        end

        # Where the time went may be known, though not why. against: parts that changed the other
        # way.
        def unexplained(against)
          code = moved(%i[code_ns user_ns]).first
          if code && @explanation.unexplained
            where = { **plain([code]).first, share: code.change / @explanation.cpu.change }
          end
          jits = @explanation.attested(:jit) if @explanation.one_compiles?
          Finding.note("why_unexplained", ratio: @explanation.compared.value, where:, jits:,
                                          beside: plain(against + events))
        end

        # A finding if most of the change in latency is waiting while cores were available.
        def waited
          whole = @explanation.latency
          one = moved([cause(:other_wait_ns) ? :other_wait_ns : :waiting_ns]).first
          return unless one && idle? && whole.change.positive? == @worse

          named = locked? ? cause(:waiting_ns) : one
          return if [one, named].any? { |part| part.change / whole.change < MOST }

          part = { **plain([named]).first, share: named.change / whole.change }
          Finding.note("why_waiting", ratio: whole.ratio, part:)
        end

        # A request that waits for the GVL or a core waits for CPU time, and so does one that waits
        # for a thread.
        def idle?
          idle = @explanation.saturation&.all? { |share| share <= UNSATURATED }
          idle && !@explanation.crowded?
        end

        # Did the wait for the GVL change? Then the rest of the waiting can't be told apart from it.
        def locked? = moved([:gvl_wait_ns]).any?

        # With the parts of CPU time that changed, if nothing else is said of the rest.
        def busy(share)
          alone = share > 1 - LEAST_SHARE || @explanation.differs?
          beside = alone ? [] : parts_along
          Finding.note("why_cores", share:, cores: plain([cause(:cores_busy)]).first,
                                    workers: @explanation.attested(:workers), waits: plain(waits),
                                    beside: plain(beside))
        end

        # What was waited for, from a tenth of the change in waiting on.
        def waits
          whole = along(moved(%i[waiting_ns]), up: @worse).first or return []
          names = idle? && !locked? ? WAITS : WAITS - [:other_wait_ns]
          found = moved(names).select { |one| one.change / whole.change >= LEAST_SHARE }
          found.empty? ? [whole] : found.sort_by { |one| -one.change.abs }
        end

        # What changed in the direction of the verdict, from a tenth of the difference on.
        def memory
          whole = @explanation.memory&.change or return
          return if whole.zero? || whole.positive? != @worse

          found = moved(MEMORY).select { |one| one.change / whole >= LEAST_SHARE }
          Finding.note("why_memory", beside: plain(found.sort_by { |one| -one.change.abs })) \
            if found.any?
        end

        # The causes as values of a finding.
        def plain(causes)
          causes.map do |one|
            { **one.to_h.slice(:a, :b, :change, :ratio, :share), name: one.name.to_s,
              unit: one.unit }
          end
        end
      end
    end
  end
end
