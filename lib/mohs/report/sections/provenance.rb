# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Where the figures come from, and how to reproduce them.
      class Provenance < Base
        KEY = "provenance"
        TITLE = "How it was measured"

        private

        def any? = @document[:error].nil? && !(command.nil? && known.empty?)

        def parts
          [(lines(command) if command), pairs(known),
           (folded("The machine", pairs(machine)) if machine.any?), problems]
        end

        def given = @document[:provenance].to_h

        def command = @document[:again]

        # [[name, text], ...] of what the document contains.
        def known
          rounds = @document[:rounds].to_h
          run = @document[:run]
          facts = [["run", run && "#{run} · show again: mohs show #{run}"], ["seed", seed],
                   ["rounds", rounds[:done] && "#{rounds[:done]} of #{rounds[:planned]}"],
                   ["took", @document[:seconds] && Numbers.duration(@document[:seconds])],
                   *given[:versions].to_h.map { |name, version| ["version of #{name}", version] }]
          facts.map { |name, text| [name, text.to_s] }.reject { |_, text| text.empty? }
        end

        # The seed, which gives the same order of the same study.
        def seed
          seed = given[:seed] or return
          options = given.dig(:invocation, :options).to_a
          typed = options.any? { |one| one[:name] == "--seed" }
          typed ? seed : "#{seed} (--seed #{seed} gives the same order)"
        end

        def machine
          host = @document[:host].to_h
          [*host[:fingerprint].to_h, *host[:noise].to_h].map do |name, value|
            [name.to_s.tr("_", " "), plain(name.to_s, value)]
          end
        end

        def plain(name, value)
          case value
          when Float then name.end_with?("share") ? Numbers.percent(value) : Numbers.number(value)
          when Integer
            name.end_with?("bytes") ? Numbers.gigabytes(value) : Numbers.thousands(value)
          when Hash then value.map { |key, one| "#{key} #{one}" }.join(", ")
          when Array then value.join(", ")
          else value.to_s
          end
        end

        def problems
          rows = @document.dig(:host, :against).to_a.map do |one|
            [one[:label], cell(one[:level], code: one[:level]), one[:detail]]
          end
          return if rows.empty?

          listed("Problems of the machine", %w[check level finding], rows, figures: [])
        end
      end
    end
  end
end
