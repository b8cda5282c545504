# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # JUnit XML, as CI servers show it: a test suite for the run, with a test case for each
      # variant, and those of the procedures (Compare::TestCases, ...). It has only elements that
      # the schemas of Jenkins (junit-10.xsd), Surefire and Ant share, in their order. Figures are
      # in system-out, since only some readers accept properties of a case.
      class Junit < Base
        HELP = "JUnit XML, for CI servers"
        MEDIA_TYPE = "application/xml"
        ENDINGS = %w[.xml].freeze

        STATES = { "failed" => :failure, "invalid" => :failure, "refused" => :skipped,
                   "waiting" => :skipped }.freeze
        # Characters that XML 1.0 (2.2) forbids, in addition to those that Printable replaces.
        NO_CHARACTERS = /[\uFFFE\uFFFF]/

        #: () -> Array[String]
        def self.kinds
          Documents.of_variants | Procedure.parts("test_cases").map { |one| one::KIND }
        end

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
            "command" => document[:again] }
            .compact.map { |name, value| { name:, value: } }
        end

        def cases(document)
          kind = Documents.kind(document)
          own = Procedure.parts("test_cases").find { |one| one::KIND == kind }
          [*variants(document), *own&.of(document)]
        end

        def variants(document)
          return [] unless document[:rows]

          figures = Figures.of(document).group_by(&:variant)
          document[:rows].map { |row| variant(row, figures.fetch(row[:variant], [])) }
        end

        def variant(row, figures)
          result = STATES[row[:state]]
          lines = result ? row[:log_tail] : figures.map { |one| line(one) }.join("\n")
          TestCase.new(group: "variant", name: row[:variant], result:, type: row[:state],
                   message: row[:reason] || row[:state], output: lines)
        end

        def line(figure)
          bracket = Report::Numbers.bracket(figure.low, figure.high)
          [figure.metric.key, figure.value, bracket, figure.verdict].compact.join(" ")
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
