# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs hosts` for people.
      class HostsScreen < Screen
        HEAD = ["host", "state", "kind", "machine", "does"].freeze

        #: () -> String
        def to_s
          rows = @document[:hosts].map { |host| row(host) }
          return "#{@style.wrap(none, indent: 2)}\n" if rows.empty?

          Columns.new([HEAD, *rows]).to_s
        end

        private

        def none
          return Render.text("hosts_local") unless @document[:shared]

          earlier = @document[:earlier]
          earlier.empty? ? Render.text("hosts_none") : Render.text("hosts_gone", hosts: earlier)
        end

        def row(host)
          facts = host[:fingerprint]
          machine = [Numbers.counted(facts[:cores].to_i, "core"),
                     *(Numbers.gigabytes(facts[:memory_bytes]) if facts[:memory_bytes])].join(", ")
          [host[:name], state(host), host[:queues].last.to_s, machine, does(host)]
        end

        def state(host)
          return host[:state] unless host[:state] == "silent"

          "silent for #{Numbers.duration(host[:silent_s])}"
        end

        def does(host)
          return "nothing for this mohs (#{VERSION}): it has #{host[:version]}" if
            host[:version] != VERSION

          cohort = host[:cohort] or return ""
          "run #{cohort[:run]}, round #{cohort[:round]}: #{cohort[:variants].join(' · ')}"
        end
      end
    end
  end
end
