# frozen_string_literal: true

# Are rates true on applications that nobody here wrote? `mohs run` of an application, with all of
# its options; before or after each block of a cohort wrk and `mohs load` have a turn on each of
# the same servers, from the same cores and with as many connections.
#
#     ruby benchmark/agreement/application.rb measure NAME [options of mohs run]
#     ruby benchmark/agreement/application.rb report
#
# In the application's folder, or with --app. Each variant is a line of applications.ndjson beside
# this file: requests per second by wrk, by `load` and of the block's slices, block by block.

require_relative "turns"

module Mohs
  # The ledger of applications, and its table.
  class AgreementApplications
    LEDGER = LinesLedger.new(File.join(__dir__, "applications.ndjson"))
    TOOLS = %w[run load].freeze

    #: (String, Array[String]) -> void
    def self.measure(application, options)
      AgreementSession.turns = AgreementTurns.new
      Cohort::Session.prepend(AgreementSession)
      status = CLI.new(CLI::Context.real).call(["run", *options])
      AgreementSession.turns.rates.each do |variant, rates|
        LEDGER.keep(kind: "application", application:, variant:, status:, **rates,
                    **AgreementRow.origin)
      end
    end

    # Rates are means; how far off wrk's those of mohs are is the geometric mean of the ratios in
    # each block, with its 95 % interval: the host's speed changes less within a block.
    #: () -> void
    def self.report
      puts "| application | variant | blocks | wrk | `mohs run` | `mohs load` |",
           "|---|---|---:|---:|---:|---:|",
           *LEDGER.all.map { |line| "| #{cells(line).join(' | ')} |" }
    end

    def self.cells(line)
      [*line.values_at("application", "variant"), line["wrk"].size, rate(line["wrk"]),
       *TOOLS.map { |tool| "#{rate(line[tool])} (#{off(line, tool)})" }]
    end

    def self.off(line, tool)
      ratios = line[tool].zip(line["wrk"]).map { |pair| pair.reduce(:/) }
      ratio = Stats::Interval.of_positive(ratios)
      format("%+.1f %% [%+.1f, %+.1f]",
             *[ratio.value, ratio.low, ratio.high].map { |one| (one - 1) * 100 })
    end

    def self.rate(rates)
      mean = Stats::Center.mean(rates)
      mean < 100 ? format("%.1f", mean) : mean.round.to_s
    end
    private_class_method :cells, :off, :rate
  end

  command, *arguments = ARGV
  case command
  when "measure" then AgreementApplications.measure(arguments.first, arguments.drop(1))
  when "report" then AgreementApplications.report
  else abort "ruby benchmark/agreement/application.rb measure NAME [options] | report"
  end
end
