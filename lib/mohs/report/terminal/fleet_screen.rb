# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs fleet init` for people: a line for each host, and below it what would
      # be done there, what is left to do, or why the host is not in the fleet.
      class FleetScreen < Screen
        #: () -> String
        def to_s
          lines = @document[:hosts].flat_map { |host| [head(host), *below(host)] }
          lines.map { |line| "#{line}\n" }.join
        end

        private

        def head(host)
          facts = [("#{host[:name]} in the fleet" if host[:name]),
                   ("Ruby #{host[:ruby]}" if host[:ruby])]
          known = facts.compact.join(", ")
          "#{host[:host]}#{" (#{known})" unless known.empty?}: #{host[:state]}"
        end

        def below(host)
          lines = case host[:state]
                  when "planned" then host[:plan]
                  when "installed" then ["start its worker there: #{start(host)}"]
                  else [*host[:reason]]
                  end
          lines.map { |line| "  #{line}" }
        end

        def start(host)
          "set -a; . #{Shell.command([host[:settings]])}; #{Shell.command(host[:start])}"
        end
      end
    end
  end
end
