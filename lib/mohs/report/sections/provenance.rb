# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Where the figures come from, and how to reproduce them.
      class Provenance < Base
        KEY = "provenance"
        TITLE = "How it was measured"
        # Figures of the machine with a unit: what each is called, and the method of Numbers that
        # writes it. Others are written as they are, by the names of their keys.
        MACHINE = { memory_bytes: ["memory", :gigabytes], waited_s: ["waited", :duration],
                    foreign_cpu_share: ["other processes", :percent],
                    steal_share: ["steal", :percent] }.freeze

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
          facts = [["run", run && "#{run} · show again: #{Proposal.to('show', run)}"],
                   ["seed", seed],
                   ["rounds", rounds[:done] && rounds.values_at(:done, :planned).uniq.join(" of ")],
                   ["took", @document[:seconds] && Numbers.duration(@document[:seconds])],
                   *given[:versions].to_h.map { |name, version| ["version of #{name}", version] }]
          facts.map { |name, text| [name, text.to_s] }.reject { |_, text| text.empty? }
        end

        # Whichever command was typed: some take no --seed.
        def seed
          seed = given[:seed]
          seed && "#{seed} (the same study and seed give the same order)"
        end

        def machine
          host = @document[:host].to_h
          [*host[:fingerprint].to_h, *host[:noise].to_h].map do |name, value|
            title, writer = MACHINE[name]
            text = writer ? Numbers.public_send(writer, value) : plain(value)
            [title || name.to_s.tr("_", " "), text]
          end
        end

        def plain(value)
          case value
          when Float then Numbers.number(value)
          when Integer then Numbers.thousands(value)
          when Hash then value.map { |key, one| "#{key} #{one}" }.join(", ")
          when Array then value.join(", ")
          else value.to_s
          end
        end

        def problems
          rows = @document.dig(:host, :against).to_a.map do |one|
            [one[:label], cell(one[:level], tone: Tone::LEVELS[one[:level]]), one[:detail]]
          end
          return if rows.empty?

          listed("Problems of the machine", %w[check level finding], rows, figures: [])
        end
      end
    end
  end
end
