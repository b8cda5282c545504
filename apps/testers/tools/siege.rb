# frozen_string_literal: true

module Testers
  # Uses our settings (siegerc), with keep-alive connections; otherwise it would use the user's
  # settings and fetch what a page links to.
  class Siege < Tool
    NAME = "siege"
    REMEDY = "apt install siege"
    SETTINGS = "siegerc"

    # Sends the same number of requests on each connection.
    def argv(load)
      each, rest = load.requests.divmod(load.connections)
      raise "siege sends as many requests on each connection: #{load.requests} can't be divided " \
            "by #{load.connections}" unless rest.zero?

      ["siege", "-R", File.join(__dir__, "..", self.class::SETTINGS), "-q", "-j", "-b",
       "-c", load.connections, "-r", each, load.url]
    end

    # With the user's home folder it would write a settings file there.
    def env
      { "HOME" => "/nonexistent" }
    end

    def read(output)
      found = output.scan(/"(\w+)":\s*([\d.]+)/).to_h
      times = { shortest: "shortest_transaction", max: "longest_transaction" }
              .transform_values { |key| found[key] && "#{found[key]}s" }
      Report.new(per_s: found["transaction_rate"]&.to_f, errors: errors(found),
                 **in_ms(times).reject { |key, _| key == :shortest })
    end

    private

    # siege counts a 500 response as a transaction, but not as a successful one.
    def errors(found)
      counts = found.values_at("transactions", "successful_transactions", "failed_transactions")
      return if counts.any?(&:nil?)

      all, good, failed = counts.map(&:to_i)
      [all - good, failed].max
    end
  end

  # With its default settings: a connection for each request.
  class SiegeDefault < Siege
    NAME = "siege-default"
    SETTINGS = "siegerc-default"
  end
end
