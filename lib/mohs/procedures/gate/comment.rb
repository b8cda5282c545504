# frozen_string_literal: true

module Mohs
  module Gate
    # The document of `mohs gate` as a comment on a pull request. It begins with an invisible
    # marker by which the next run finds the comment, to edit it.
    class Comment
      KIND = "gate"

      SIGNS = { "holds" => ":white_check_mark:", "inconclusive" => ":grey_question:",
                "fails" => ":x:" }.freeze
      METRICS = %w[throughput cpu p50 memory].freeze

      # Characters that a marker must not contain: they could end the HTML comment.
      UNMARKED = /[^\w.\/-]+/

      # name: the comment's name.
      #: (String) -> String
      def self.marker(name) = "<!-- mohs gate #{name.gsub(UNMARKED, '_').squeeze('-')} -->"

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
      end

      #: () -> String
      def to_s
        [Comment.marker(@document[:name]), headline, table, why, details]
          .compact.join("\n\n").concat("\n")
      end

      private

      def text(foreign) = Report::Markdown.escape(foreign.to_s)

      # Markdown.code doesn't work in a table: a pipe in the text would end the cell.
      def code(foreign) = "<code>#{text(foreign)}</code>"

      def headline
        "#{SIGNS.fetch(@document[:outcome])} **mohs**: #{text(@document[:sentence])}"
      end

      def table
        titles = columns.map { |metric| text(title(metric)) }
        rule = ["---", *titles.map { "--:" }, "---"]
        rows = @document[:pages].map { |page| row(page) }
        all = [["page", *titles, "gate"], rule, *rows]
        all.map { |cells| Report::Markdown.row(cells) }.join.chomp
      end

      # The usual metrics, and those that have a gate.
      def columns = @columns ||= METRICS | @document[:gates].map { |gate| gate[:metric] }

      def title(metric) = Analysis::Metric.fetch(metric, Analysis::Metric::TAIL).title

      def row(page)
        [code(page[:name]), *columns.map { |metric| change(page, metric) }, outcome(page)]
      end

      # The change that the gate was judged by, if the metric has a gate; else that of the
      # comparison.
      def change(page, name)
        gate = gates(page).find { |one| one[:metric] == name && one[:effect] }
        return text(Report::Change.new(gate).signed) if gate

        metric = page[:metrics].find { |one| one[:name] == name }
        return Report::Numbers::NONE unless metric && metric[:effect]

        text(Report::Change.new(metric.slice(:effect), better: metric[:better]).signed)
      end

      def outcome(page)
        gates(page).group_by { |gate| gate[:outcome] }.map { |outcome, same|
          list = same.map { |gate| gate(gate) }.join("; ")
          bold = outcome == "fails" ? "**fails**" : outcome
          "#{SIGNS.fetch(outcome)} #{bold}: #{list}"
        }.join("<br>")
      end

      def gates(page) = @document[:gates].select { |gate| gate[:name] == page[:name] }

      def gate(gate)
        change = Report::Change.new(gate).to_s if gate[:interval]
        text([gate[:title], *change].join(" ").concat(", limit #{Gate::Document.bound(gate)}"))
      end

      def why
        silent = Gate::Document.silent(@document)
        lines = silent.map { |name, reason| "- #{code(name)}: #{text(reason)}" }
        lines.join("\n") if lines.any?
      end

      def details
        pushes, count = @document[:false_alarms].values_at(:pushes, :gates)
        gates = Report::Numbers.counted(count, "gate")
        parts = [Document.compared(@document), Report::Numbers.duration(@document[:seconds]),
                 *host, Report::Render.text("gating_level", pushes:, gates:), *runs]
        parts = parts.map { |part| text(part) }
        "<sub>#{[*parts, "again: #{code(@document[:again])}"].join(' · ')}</sub>"
      end

      def host
        cores = @document.dig(:host, :fingerprint, :cores)
        share = @document.dig(:host, :noise, :foreign_cpu_share)
        [("#{Report::Numbers.counted(cores, 'core')}" if cores.is_a?(Integer)),
         ("other processes took #{Report::Numbers.percent(share)} of the CPU" if share)].compact
      end

      def runs
        keys = @document[:pages].filter_map { |page| page[:run] }
        ["#{keys.one? ? 'run' : 'runs'} #{keys.join(', ')}"] if keys.any?
      end
    end
  end
end
