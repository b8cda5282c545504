# frozen_string_literal: true

require "psych"

module Mohs
  module Importers
    # benchmark-driver (https://github.com/benchmark-driver/benchmark-driver): its record (-o
    # record), and its table (-o markdown).
    #
    # A record is YAML that names Ruby classes. It is parsed into nodes only, not into objects.
    class BenchmarkDriver < Base
      HEADING = /^# ([^\n(]+) \(([^\n)]+)\)\n\n(\|[^\n]+\|)\n\|:-/
      SUFFIXES = { "k" => 1e3, "M" => 1e6, "G" => 1e9, "T" => 1e12, "Q" => 1e15 }.freeze
      # Units for which smaller values are better.
      TIMES = %w[s ms us ns MiB KiB B bytes].freeze

      #: (String) -> bool
      def self.recognise?(head)
        head.start_with?("---\ntype: recorded\n") || head.match?(HEADING)
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        return table unless source.head.start_with?("---")

        Record.new(source.text).call { |found| recorded(**found) }
      end

      private

      # The runs of a record: each repetition is a process of its own.
      def recorded(metric:, job:, context:, values:, all:)
        measure = measure(metric["name"], metric["unit"], metric["larger_better"] == "true")
        runs = all || values
        lacks = [lack(all ? "in_a_row" : "chosen")]
        runs.map do |value|
          one(measure, context, job, number(value), lacks)
        end
      end

      def one(measure, context, job, value, lacks)
        sample(measure:, value: value.positive? ? value : nil, variant: name(context),
               errors: value.positive? ? {} : { "failed" => 1 }, benchmark: name(job), lacks:)
      end

      def measure(title, unit, more)
        Analysis::Imports::Measure.new(name: name(title), unit: name(unit), more:)
      end

      def table
        text = source.text
        title, unit, header = HEADING.match(text)&.captures
        measure = measure(title, unit, !TIMES.include?(unit))
        contexts = cells(header).drop(1)
        rows = text[/^\|:-[^\n]*\n((?:\|[^\n]*\n?)*)/, 1].to_s.lines.map { |line| cells(line) }
        jobs = rows.reject { |row| row.first.to_s.empty? } # others: --output-compare
        jobs.flat_map do |job, *values|
          raise ArgumentError, "a row of #{values.size} values" unless values.size == contexts.size

          contexts.zip(values).map do |context, text_value|
            one(measure, context, job, figure(text_value), [lack("chosen"), lack("digits")])
          end
        end
      end

      def cells(line) = line.strip.delete_prefix("|").delete_suffix("|").split("|").map(&:strip)

      def figure(text)
        return 0.0 if text == "ERROR"

        digits, suffix = text.match(/\A([\d.]+)([kMGTQ]?)\z/)&.captures
        number(digits) * SUFFIXES.fetch(suffix, 1)
      end

      # Builds YAML nodes, and gives up during parsing if there are too many or they are too deep:
      # for each further level, libyaml takes time that grows with the square of the depth.
      class Tree < Psych::TreeBuilder
        MOST = 200_000
        DEEPEST = 100

        # Nodes with an anchor, by the anchor's name.
        #: () -> Hash[String, Psych::Nodes::Node]
        def anchors = @anchors ||= {}

        #: (*untyped) -> untyped
        def start_mapping(*) = deeper(super)

        #: (*untyped) -> untyped
        def start_sequence(*) = deeper(super)

        #: () -> untyped
        def end_mapping = super.tap { @depth -= 1 }

        #: () -> untyped
        def end_sequence = super.tap { @depth -= 1 }

        #: (*untyped) -> untyped
        def scalar(*) = counted(super)

        private

        def deeper(node)
          @depth = @depth.to_i + 1
          raise RangeError, "more than #{DEEPEST} levels" if @depth > DEEPEST

          counted(node)
        end

        def counted(node)
          @count = @count.to_i + 1
          raise RangeError, "more than #{MOST} values" if @count > MOST

          anchors[node.anchor] = node if node.anchor
          node
        end
      end

      # The nodes of a record.
      class Record
        #: (String) -> void
        def initialize(text)
          tree = Tree.new
          Psych::Parser.new(tree).parse(text)
          @document = tree.root.children.first
          @anchors = tree.anchors
          @made = 0
        rescue Psych::Exception => error
          raise ArgumentError, "no YAML (#{error.message})"
        end

        # Yields each job's values in each context and metric; returns all that the block returned
        # in one list.
        #: () { (**untyped) -> Array[untyped] } -> Array[untyped]
        def call(&)
          jobs = at(pairs(@document.root), "job_warmup_context_result")
          pairs(jobs).flat_map { |job, warmed| of_job(text(at(pairs(job), "name")), warmed, &) }
        end

        private

        # Results of the warm-up have the key true, those that count the key false.
        def of_job(job, warmed)
          results = pairs(warmed).find { |warm, _| text(warm) == "false" }&.last
          pairs(results).flat_map do |context, result|
            name, fields = text(at(pairs(context), "name")), pairs(result)
            values(fields, "values").flat_map do |metric, value|
              all = values(fields, "all_values", optional: true).find { |other, _| other == metric }
              all &&= list(all.last)
              @made += all ? all.size : 1
              raise RangeError, "more than #{Base::MOST_RUNS} values" if @made > Base::MOST_RUNS

              yield metric:, job:, context: name, values: [text(value)], all:
            end
          end
        end

        # [[the metric's fields, the node of its value], ...].
        def values(fields, name, optional: false)
          node = resolve(fields.find { |key, _| text(key) == name }&.last)
          return [] if optional && !node.is_a?(Psych::Nodes::Mapping)

          pairs(node).map do |metric, value|
            [pairs(metric).to_h { |key, field| [text(key), text(field)] }, value]
          end
        end

        def at(fields, name)
          fields.find { |key, _| text(key) == name }&.last || raise(KeyError, "no #{name}")
        end

        def pairs(node)
          node = resolve(node)
          raise ArgumentError, "no mapping" unless node.is_a?(Psych::Nodes::Mapping)

          node.children.each_slice(2).to_a
        end

        def list(node)
          node = resolve(node)
          raise ArgumentError, "no list" unless node.is_a?(Psych::Nodes::Sequence)

          node.children.map { |child| text(child) }
        end

        def text(node)
          node = resolve(node)
          node.is_a?(Psych::Nodes::Scalar) ? node.value : ""
        end

        def resolve(node)
          node.is_a?(Psych::Nodes::Alias) ? @anchors.fetch(node.anchor) : node
        end
      end
    end
  end
end
