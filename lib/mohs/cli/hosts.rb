# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs hosts`: the hosts of the fleet: what each is, and what it does now.
    class Hosts < Base
      SUMMARY = "Lists the hosts of the fleet and what they do."
      USAGE = "mohs hosts"
      ARGUMENTS = (0..0)

      private

      def execute
        document = Report::HostsModel.document(context.store.call)
        answer("hosts", document) do
          Report::Terminal::HostsScreen.new(document, style: context.style(context.out)).to_s
        end
      end
    end
  end
end
