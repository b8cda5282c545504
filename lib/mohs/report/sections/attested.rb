# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Settings as the servers' own processes report them.
      class Attested < Base
        KEY = "attested"
        TITLE = "Attested settings"
        HOW = "Read inside each server's own processes, not from the command line that started " \
              "them."
        FACTS = { interpreter: "interpreter", jit: "JIT", workers: "processes", threads: "threads",
                  malloc: "malloc", mn_threads: "M:N threads", preload: "preloaded" }.freeze
        # Variables by which mohs gets into the servers; their values are paths of this machine.
        OURS = %w[RUBYLIB RUBYOPT].freeze

        private

        def any? = attested.any?

        def parts
          known = FACTS.select { |key, _| attested.any? { |row| !row[:attested][key].nil? } }
          [listed("Settings as the servers report them", ["variant", *known.values, "not attested"],
                  attested.map { |row| line(row, known.keys) }, figures: []),
           folded("Versions of gems, and variables",
                  listed("Gems and variables", %w[variant gems variables], more, figures: []))]
        end

        def attested = @attested ||= measured.reject { |row| row[:attested].to_h.empty? }

        def line(row, keys)
          facts = row[:attested]
          missing = facts[:unattested].to_a
          [row[:variant], *keys.map { |key| text(facts[key]) },
           missing.empty? ? "nothing" : missing.join(", ")]
        end

        def text(value)
          { true => "on", false => "off", nil => Numbers::NONE }.fetch(value) { value.to_s }
        end

        def more
          attested.map do |row|
            facts = row[:attested]
            gems = facts[:gems].to_h.map { |pair| pair.join(" ") }
            variables = facts[:variables].to_h.reject { |name, _| OURS.include?(name.to_s) }
            variables = variables.merge(facts.dig(:gc, :variables).to_h)
            [row[:variant], gems.join(", "), variables.map { |pair| pair.join("=") }.join(" ")]
          end
        end
      end
    end
  end
end
