# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Draws the speed of batches, one after another: included in sections.
      module Course
        HEIGHT = 260

        private

        # Whether there is a line to draw. lines: [{ name:, values:, warm: }], the last being the
        # index of the batch from which on it is warm, or nil.
        def course?(lines) = lines.any? { |line| line[:values].compact.size > 1 }

        def course(lines)
          last = lines.map { |line| line[:values].size }.max - 1
          across = View::Section::Axis.new(values: [0, last], unit: :batch, ticks: 8)
          down = View::Section::Axis.new(values: lines.flat_map { |line| line[:values].compact },
                                         unit: :per_s, ticks: 5, zero: true)
          View::Section::Chart.new(key: "plot", title: "Requests per second, batch by batch",
                                   text: lines.map { |line| batches_in_short(line) }.join("; "),
                                   height: HEIGHT, across:, down:,
                                   lines: lines.map { |line| line_of_batches(line) },
                                   marks: lines.flat_map { |line| marks_of_batches(line) })
        end

        def line_of_batches(line)
          points = line[:values].each_with_index.map { |value, at| [at, value] if value }
          View::Section::Line.new(points:, name: line[:name], series: number(line[:name]))
        end

        # The first batch, that from which on it is warm, and the last.
        def marks_of_batches(line)
          places = [0, line[:warm], line[:values].size - 1].compact.uniq
          places.select { |at| line[:values][at] }.map do |at|
            value, warm = line[:values][at], at == line[:warm]
            View::Section::Mark.new(x: at, y: value, series: number(line[:name]), small: !warm,
                                    text: "#{line[:name]}: batch #{at + 1}" \
                                          "#{', warm from here on' if warm}, " \
                                          "#{Numbers.figure(value)}/s")
          end
        end

        def batches_in_short(line)
          first, last = line[:values].compact.values_at(0, -1)
          "#{line[:name]}: #{Numbers.figure(first)} to #{Numbers.figure(last)} a second"
        end
      end
    end
  end
end
