# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load: a line for each thing that it did, the tables between them.
    class Layout < Report::Terminal::Layout
      KIND = View::KIND

      # Remarks whose texts begin with their names.
      NAMED = %i[connections driver slow].freeze
      # Bars for the course of the batches; with less room there are none.
      BARS = (8..64)

      #: () -> String
      def to_s
        lines = [wrapped(@view.subject), headline, *said(:drain, :plain, :errors, :first_wrong),
                 *latencies, *histogram, *batches, *scenario, *said(:slow, :arrivals), *steps,
                 *said(:connections, :tls, :starved, :driver, :check)]
        "#{lines.compact.join("\n")}\n"
      end

      private

      # The lines of the remarks with these codes.
      def said(*codes)
        remarks = codes.flat_map { |code| @view.remarks.select { |one| one.code == code } }
        remarks.map { |remark| painted(remark) }
      end

      def painted(remark)
        case remark.code
        when :errors then @style.paint(:red, with_name(remark))
        when :failed_step then @style.paint(:red, "    #{remark.text}")
        when :check then @style.paint(:yellow, wrap("#{remark.name}: #{remark.text}"))
        when *NAMED then with_name(remark)
        else wrap(remark.text)
        end
      end

      def with_name(remark) = wrap("#{remark.name} #{remark.text}")

      def wrap(text) = @style.wrap(text, indent: INDENT)

      # [] without such a table.
      def table(key, indent: 0)
        table = @view.table(key) or return []
        Report::Terminal::Grid.new(table, style: @style).lines.map { |line| (" " * indent) + line }
      end

      # A line for each kind of latency; below the first, why some figures are bounds.
      def latencies
        table = @view.table(:latencies) or return []
        kind, *times = table.columns
        first, *others = table.rows.map do |row|
          words = times.map { |column| "#{column.title} #{row[column.key].text}" }
          @style.flow(["latency (#{row[kind.key].text}, ms)", *words], gap: "   ", indent: INDENT)
        end
        [first, *said(:unanswered), *others]
      end

      # The figures of the batches, beside a line of bars for all of them.
      def batches
        title, *lines = table(:batches)
        return [] unless title

        gap = Report::Terminal::Columns::GAP
        room = @style.width - title.length - gap.length
        courses = @view.pictures[:batches].map { |values| drawn(values, room) }
        [title, *lines.zip(courses).map { |line, bars| (line + gap + bars).rstrip }]
      end

      def drawn(values, room)
        return "" if room < BARS.min

        Report::Terminal::Sparkline.of(values.map(&:to_f), most: [room, BARS.max].min)
      end

      def histogram = Histogram.new(@view.pictures[:histogram], style: @style).lines

      def steps = table(:steps, indent: INDENT)

      def scenario = [*said(:actions), *table(:scenario, indent: INDENT), *said(:failed_step)]
    end
  end
end
