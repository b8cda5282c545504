# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs servers`: the application servers.
    class Servers < Base
      SUMMARY = "Lists the servers that an application can be measured on."
      USAGE = "mohs servers"

      private

      def execute
        offered = context.servers.all.reject { |server| server::FOR_TESTS }
        documents = offered.map { |server| document(server) }
        fronts = FrontList.documents
        answer("servers", servers: documents, fronts:) do
          table(documents) + FrontList.table(fronts)
        end
      end

      # Versions and states depend on the application's bundle: null here.
      def document(server)
        capabilities = server.capabilities
        { name: server.label, version: nil, engine: capabilities.fetch(:engines), state: "ok",
          reason: nil, capabilities: }
      end

      def table(documents)
        rows = documents.map do |server|
          able = server[:capabilities].select { |_, value| value == true }.keys
          [server[:name], server[:engine].join(" "), able.join(", ").tr("_", "-")]
        end
        Report::Terminal::Columns.new([["server", "engines", "able to"], *rows]).to_s
      end
    end
  end
end
