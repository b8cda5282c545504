# frozen_string_literal: true

module Mohs
  module Checks
    # A check answers #call(facts) with { name:, ok:, level:, detail: }: ok is true, false, or nil
    # where it can't be told; level "ok", "warn" (read the figures with care) or "invalid" (they
    # mean nothing); detail a sentence with its figures. It implements #judge by ending in `pass`,
    # `warn`, `invalid` or `unknown`.
    #
    # facts, one trial's; without the keys that a check needs it is `unknown`:
    #   slices       every step of load in order, warm-up included: [{ warm_up: bool, sent:, good:,
    #                errors: { "class" => n }, wall_ns:, latency_sum_ns:, driver_cpu_ns:, pulse:
    #                (may be nil) }], in an open loop also offered:, unsent:, late:, lag_ns:
    #                (Load::StepResult)
    #   recorded     Integer: size of the recording, warm-up included
    #   threads      Integer: driver threads that load this trial
    #   connections  { asked:, opened:, lost:, served: } over the measured slices; served: how many
    #                got an answer
    #   stalls       what Stalls.count gives
    #   jit          { declared:, at_boot:, at_end: }: "yjit", "off", ...; nil: nothing declared, or
    #                unattested
    #   workers      { declared:, at_end:, served: }: processes; served: those that spent CPU time
    #                under load, nil unknown
    #   answers      [{ request: "GET /", status:, length:, kind: "body" | "length" | "status",
    #                note: String|nil }]
    #   attested     of Probes::Attestation, after boot
    #   warm_up      Trial::WarmUp#to_h
    #   apart        false: the driver shares its core with the server, as in a duet
    #   arrivals     { kind:, windows:, index: } of an open loop: Load::Dispersion
    #   empty_per_s  of Load::NullServerRate
    #   specimen     { error:, status:, bytes: } of the first wrong answer, its first bytes as Ruby
    #                writes them; nil: none
    #   idle         { wall_ns:, cpu_ns: } of the measured part, outside the trial's own slices
    class Base
      # Characters of a wrong answer: enough to know an error page by.
      SHOWN = 80

      # Its name in reports: that of its file.
      #: () -> String
      def self.title
        name.split("::").last.gsub(/(?<=[a-z])[A-Z]/) { |letter| "_#{letter}" }.downcase
      end

      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def call(facts)
        @facts = facts
        missing = needs.reject { |key| facts[key] }
        missing.empty? ? judge : unknown("not recorded: #{missing.join(', ')}")
      end

      private

      # Keys of the facts without which nothing can be told.
      def needs = [:slices]

      def judge = raise(NotImplementedError, "#{self.class}#judge")

      def pass(detail) = result(true, "ok", detail)

      def warn(detail) = result(false, "warn", detail)

      def invalid(detail) = result(false, "invalid", detail)

      def unknown(detail) = result(nil, "ok", detail)

      def result(ok, level, detail) = { name: self.class.title, ok:, level:, detail: }.freeze

      def measured = @facts[:slices].reject { |slice| slice[:warm_up] }

      # Of the measured slices.
      def total(key) = measured.sum { |slice| slice[key] }

      # What the driver's threads noticed in the measured slices, where that is known of all.
      def pulses
        told = measured.map { |slice| slice[:pulse] }
        told.all? ? told : []
      end

      def of_pulses(key) = pulses.sum { |pulse| pulse[key] }

      # The measured slices of open loops.
      def open_loops = measured.select { |slice| slice[:offered] }

      # { "class" => count } over all slices given.
      def errors_of(slices)
        slices.flat_map { |slice| slice[:errors].to_a }
              .each_with_object(Hash.new(0)) { |(kind, count), sum| sum[kind.to_s] += count }
      end

      # "3 timeout, 1 wrong body", and how the first of them began, where it was kept.
      def named(errors)
        kinds = errors.map { |kind, count| "#{count} #{kind.tr('_', ' ')}" }.join(", ")
        specimen = @facts[:specimen]
        return kinds unless specimen && errors.key?(specimen[:error])

        bytes = specimen[:bytes]
        kept = bytes.size > SHOWN ? "#{bytes[0, SHOWN]}..." : bytes
        "#{kinds}; the first began #{kept}"
      end

      def percent(share) = "#{format(share < 0.0995 ? '%.2g' : '%.0f', share * 100)} %"
    end
  end
end
