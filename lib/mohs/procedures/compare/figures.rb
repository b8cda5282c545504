# frozen_string_literal: true

module Mohs
  module Compare
    # The figures of a comparison, which has an effect in every metric.
    class Figures < Exporters::Figures
      KIND = View::KIND

      private

      # The deciding metric has the verdict, too.
      def comparison(key, row)
        verdict = @document[:verdict]
        if row[:variant] != @document[:b]
          return verdict[:metric] == key ? { verdict: "baseline" } : {}
        end

        line = [*@document[:metrics], @document[:tail]].compact.find { |one| one[:key] == key }
        return {} unless line
        return { verdict: INVALID } if verdict[:outcome] == INVALID

        effect(line, key == verdict[:metric] ? verdict[:outcome] : line[:mark])
      end
    end
  end
end
