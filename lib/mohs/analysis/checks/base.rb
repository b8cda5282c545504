# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # A self-check: a decision over facts. #call(facts) returns a Finding whose code is
      # "its_name.case". A member implements #judge, which ends in `pass`, `unknown`, `warn` (the
      # figures must be read with care) or `bad` (they mean nothing), with the case and the values
      # that its words need. Its constant WORDS has the template of each case (Report::Render), and
      # it declares the facts that it needs, and SIZE. A case that was released keeps its template:
      # findings are stored, and put into words when shown.
      #
      # facts of one trial; without a key that a check needs, its finding is `unknown`:
      #   slices       every step of load in order, `block` nil in warm-up: [{ block:, sent:, good:,
      #                errors: { "class" => n }, wall_ns:, loaded_ns:, span_ns:, in_use_ns:,
      #                max_ns:, latency_sum_ns:, service_sum_ns:, turn_ns:, cpu_ns:, driver_cpu_ns:,
      #                pulse: (may be nil) }], in an open loop also offered:, unsent:, late:,
      #                lag_ns: (Load::StepResult)
      #   cold_batches Integer: how many of the first slices are the batches of a cold start; nil:
      #                none
      #   recorded     Integer: size of the recording, warm-up included
      #   threads      Integer: driver threads that load this trial
      #   connections  { asked:, opened:, lost:, served: } over the measured slices; served: how
      #                many got an answer
      #   stalls       what Stalls.count returns
      #   connects     what Connects.count returns
      #   jit          { declared:, at_boot:, at_end: }: "yjit", "off", ...; nil: nothing declared,
      #                as the application decides, or unattested
      #   workers      { declared:, at_end:, served:, replaced:, uneven:, repeated:, slices:,
      #                most_connections: }: processes; served: those that spent CPU time under
      #                load, nil unknown; replaced: those that were started after the warm-up, nil
      #                unknown, or if it does so by design; uneven: of the measured slices those in
      #                which one of them had less than half of its share of the load; repeated:
      #                slices besides, as one had none; most_connections: that one of them has,
      #                where each connection has a thread (nil unknown)
      #   answers      [{ request: "GET /", status:, length:, kind: "body" | "length" | "status",
      #                note: String|nil }]
      #   scenario     true: the load came from a scenario's clients
      #   attested     what Probes::Attestation found, after the load
      #   warm_up      Trial::WarmUp#to_h
      #   apart        false: the driver shares its core with the server, as in a duet
      #   arrivals     { kind:, windows:, index: } of an open loop: windows compared with its
      #                schedule, and the index of dispersion of their counts
      #   empty_per_s  the rate of Load::NullServerRate
      #   specimen     { error:, status:, bytes: } of the first wrong response, its first bytes as
      #                Ruby writes them (nil: it had none); nil: no response was wrong
      #   diagnosis    that of App::AnswerDiagnosis, if responses were wrong; for a server that
      #                mohs started, with its processes:, threads: of each (nil unknown), instead:
      #                the settings with one thread (nil: it has them)
      #   held         Study::Hold#to_h; nil: the study holds nothing
      #   memory_bytes those of the process tree at rest after the load
      #   programs     { cpu_ns:, own_ns:, requests: } of the measured part: CPU time of programs
      #                that the server ran and that have ended, and its own (each nil: unknown)
      #   idle         { wall_ns:, cpu_ns: } of the measured part, outside the trial's own slices
      class Base
        extend Family::Member

        # Templates shared by several checks. `recorded` is a finding of which only the sentence was
        # kept.
        WORDS = {
          recorded: "%{detail}",
          missing: "not recorded: %{keys|list}",
          unmeasured: "nothing was measured",
          shared_core: "the driver shares its core with the server",
        }.freeze

        # Characters of a wrong response that are shown: enough to recognize an error page.
        SHOWN = 80

        # The value by which its findings are ranked: the larger, the worse.
        SIZE = :share

        # See Checks.size.
        #: (Hash[Symbol, untyped]) -> Numeric
        def self.size(values) = values.fetch(self::SIZE, 0)

        #: (Hash[Symbol, untyped]) -> Analysis::Finding
        def call(facts)
          @facts = facts
          missing = needs.reject { |key| facts[key] }
          missing.empty? ? judge : unknown(:missing, keys: missing.map(&:to_s))
        end

        private

        attr_reader :facts

        def judge = raise(NotImplementedError, "#{self.class}#judge")

        def pass(kind, **values) = finding(:ok, kind, values)

        def unknown(kind = :unknown, **values) = finding(:unknown, kind, values)

        def warn(kind, **values) = finding(:warn, kind, values)

        def bad(kind, **values) = finding(:bad, kind, values)

        def finding(severity, kind, values)
          Finding.new(code: "#{self.class.label}.#{kind}", severity:, values:)
        end

        # Keys of the facts without which the check can't decide.
        def needs = [:slices]

        def measured = Store::Slice.measured(facts[:slices])

        # The sum over the measured slices.
        def total(key) = measured.sum { |slice| slice[key] }

        # The thread statistics of the measured slices, if all have them.
        def thread_stats
          known = measured.map { |slice| slice[:pulse] }
          known.all? ? known : []
        end

        def of_threads(key) = thread_stats.sum { |pulse| pulse[key] }

        # The share of all CPU time that the hypervisor took, over all slices that have it: the
        # kernel counts in steps of 10 ms, so one step is much of a short slice and says nothing by
        # itself. 0 if no slice has it.
        def steal
          counted = thread_stats.zip(measured).select { |pulse, _| pulse[:steal_share] }
          wall_ns = counted.sum { |_, slice| slice[:wall_ns] }
          return 0 if wall_ns.zero?

          counted.sum { |pulse, slice| pulse[:steal_share] * slice[:wall_ns] } / wall_ns
        end

        # The measured slices of open loops.
        def open_loops = measured.select { |slice| slice[:offered] }

        # { "class" => count } over all slices given.
        def errors_of(slices)
          Figures.sum(slices.map { |slice| slice[:errors] })
        end

        # The values of a finding about errors: their `share`, [[class, count]], and how the first
        # response with one of these errors began, if it was kept; or its `difference` from the
        # right one (Load::FailedResponse#difference), since a page's beginning is mostly the same.
        def error_values(errors, sent)
          failed = facts[:specimen]
          bytes = failed[:bytes] || "".inspect if failed && errors.key?(failed[:error])
          bytes = "#{bytes[0, SHOWN]}..." if bytes && bytes.size > SHOWN
          apart = failed[:difference] if bytes
          { share: errors.values.sum.fdiv(sent), errors: errors.to_a, first: (bytes unless apart),
            apart: }.compact
        end
      end
    end
  end
end
