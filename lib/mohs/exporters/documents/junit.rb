# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # JUnit XML, as CI servers show it: a test suite for the run, with a test case for each
      # variant, each gate, the verdict of a comparison, --check of a tuning, and each claim of a
      # published study. It has only elements that the schemas of Jenkins (junit-10.xsd), Surefire
      # and Ant share, in their order. Figures are in system-out, since only some readers accept
      # properties of a case.
      class Junit < Base
        HELP = "JUnit XML, for CI servers"
        MEDIA_TYPE = "application/xml"
        ENDINGS = %w[.xml].freeze
        WRITES = [*Bencher::WRITES, "gate"].freeze

        # A test case: its result is :failure, :skipped or nil (it passed); `message` gives the
        # reason, `output` is figures or a log.
        class Case < Struct.new(:group, :name, :result, :type, :message, :output,
                                keyword_init: true)
          include Value
        end

        STATES = { "failed" => :failure, "invalid" => :failure, "refused" => :skipped,
                   "waiting" => :skipped }.freeze
        GATES = { "fails" => :failure, "inconclusive" => :skipped }.freeze
        CLAIMS = { "contradicted" => :failure, "undecided" => :skipped,
                   "not_testable" => :skipped }.freeze
        CHECK = "--check"

        # Characters that XML 1.0 (2.2) forbids, in addition to those that Printable replaces.
        NO_CHARACTERS = /[\uFFFE\uFFFF]/

        private

        def text(document)
          cases = cases(document)
          <<~XML
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
            <testsuite#{attributes(suite(document, cases))}>
            <properties>
            #{properties(document).map { |pair| "<property#{attributes(pair)}/>" }.join("\n")}
            </properties>
            #{cases.map { |one| element(one) }.join("\n")}
            </testsuite>
            </testsuites>
          XML
        end

        def suite(document, cases)
          counts = cases.map(&:result).tally
          { name: ["mohs", document[:command], benchmark(document)].reject(&:empty?).join(" "),
            tests: cases.size, failures: counts.fetch(:failure, 0), errors: 0,
            skipped: counts.fetch(:skipped, 0), time: document[:seconds] || 0,
            **timestamp(document) }
        end

        # The start of the run in UTC, as the schemas require.
        def timestamp(document)
          ended_ms, seconds = document.values_at(:finished_ms, :seconds)
          return {} unless ended_ms

          began = Time.at((ended_ms / 1000.0) - seconds.to_f, in: "UTC")
          { timestamp: began.strftime("%Y-%m-%dT%H:%M:%S") }
        end

        def properties(document)
          { "mohs" => document[:mohs], "run" => document[:run], "sentence" => document[:sentence],
            "baseline" => document[:baseline], "seed" => document.dig(:provenance, :seed),
            "command" => Report::Document.command(document) }
            .compact.map { |name, value| { name:, value: } }
        end

        def cases(document)
          [*variants(document), *verdict(document), *gates(document), *check(document),
           *claims(document)]
        end

        def variants(document)
          return [] unless document[:rows]

          figures = Figures.of(document).group_by(&:variant)
          document[:rows].map { |row| variant(row, figures.fetch(row[:variant], [])) }
        end

        def variant(row, figures)
          result = STATES[row[:state]]
          lines = result ? row[:log_tail] : figures.map { |one| line(one) }.join("\n")
          Case.new(group: "variant", name: row[:variant], result:, type: row[:state],
                   message: row[:reason] || row[:state], output: lines)
        end

        def line(figure)
          bracket = Report::Numbers.bracket(figure.low, figure.high)
          [figure.metric.key, figure.value, bracket, figure.verdict].compact.join(" ")
        end

        # A comparison without a verdict is a failure, as in its exit status.
        def verdict(document)
          return [] unless document[:command] == "compare"

          invalid = document[:verdict][:outcome] == "invalid"
          [Case.new(group: "verdict", name: "#{document[:b]} against #{document[:a]}",
                    result: (:failure if invalid), type: "invalid", message: document[:sentence],
                    output: document[:sentence])]
        end

        def gates(document)
          document[:gates].to_a.map do |gate|
            Case.new(group: "gate", name: gate[:gate] || of_page(gate),
                     result: GATES[gate[:outcome]], type: gate[:outcome],
                     message: gate[:reason], output: gate[:reason])
          end
        end

        def of_page(gate) = "#{gate[:name]}: #{gate[:title]} #{gate[:limit]}"

        # Whether the present setting is still among the best.
        def check(document)
          return [] unless document[:command] == "tune" && document[:check]

          result = { true => nil, false => :failure, nil => :skipped }
                   .fetch(document[:present_is_best])
          [Case.new(group: "check", name: "#{document[:present]} is among the best settings",
                    result:, type: CHECK, output: document[:sentence],
                    message: document[:present_unknown] || document[:sentence])]
        end

        def claims(document)
          document[:claims].to_a.map do |claim|
            Case.new(group: "claim", name: "#{claim[:text]} (#{claim[:place]})",
                     result: CLAIMS[claim[:judgement]], type: claim[:judgement],
                     message: claim[:reason] || claim[:judgement], output: claim[:reason])
          end
        end

        # The time of a single case is unknown, but some readers require a number.
        def element(one)
          attributes = attributes(name: one.name, classname: "mohs.#{one.group}", time: 0)
          inside = [result(one), output(one)].compact
          return "<testcase#{attributes}/>" if inside.empty?

          "<testcase#{attributes}>#{inside.join}</testcase>"
        end

        def result(one)
          case one.result
          when :failure
            "<failure#{attributes(message: first_line(one.message), type: one.type)}>" \
              "#{safe(one.message).encode(xml: :text)}</failure>"
          when :skipped then "<skipped#{attributes(message: first_line(one.message))}/>"
          end
        end

        def output(one)
          text = safe(one.output)
          "<system-out>#{text.encode(xml: :text)}</system-out>" unless text.empty?
        end

        def first_line(text) = text.to_s.lines.first.to_s.chomp

        def attributes(pairs)
          pairs.map { |name, value| " #{name}=#{safe(value).encode(xml: :attr)}" }.join
        end

        def safe(value) = Printable.call(value.to_s).gsub(NO_CHARACTERS, "?")
      end
    end
  end
end
