# frozen_string_literal: true

module Mohs
  module Report
    class View
      # A part of a page, below a title of its own. What a renderer of pages arranges and draws, it
      # takes from here.
      #
      #   key    unique in a page
      #   title  above it
      #   how    how to read it; nil: it needs no explanation
      #   parts  in their order: View::Tables, the structs below, and texts, of which each is a
      #          paragraph
      #
      # Pictures have a key, unique in the section, a title, and a text that says what they show.
      Section = Struct.new(:key, :title, :how, :parts, keyword_init: true) { include Value }

      class Section
        # A paragraph of texts, and of Words that stand out.
        Paragraph = Struct.new(:words, keyword_init: true) { include Value }

        # kind: :name, :code or :address.
        Word = Struct.new(:text, :kind, keyword_init: true) { include Value }

        # A heading within a section.
        Heading = Struct.new(:text, keyword_init: true) { include Value }

        # Lines that are shown as they are.
        Lines = Struct.new(:text, keyword_init: true) { include Value }

        # Texts of equal weight.
        List = Struct.new(:texts, keyword_init: true) { include Value }

        # [[name, text], ...]; those without a text are not shown. A text may be a list, some of it
        # words.
        Pairs = Struct.new(:pairs, keyword_init: true) { include Value }

        # Parts behind a line that opens them.
        Fold = Struct.new(:summary, :parts, keyword_init: true) { include Value }

        # Ratios with their intervals, on one axis.
        #
        #   points  [{ name:, text:, tone:, value:, ends: [low, high] or nil }], optionally with
        #           `shape:` as of a Mark (nil: the tone decides), `reference:`, a second value,
        #           `reference_text:`, and `range:`, the [low, high] that it allows (nil: open)
        #   margin  ratios that differ less from 1 don't matter; nil: all do
        #   gains   whether ratios say how much better, rather than how much more
        Intervals = Struct.new(:key, :title, :text, :points, :margin, :gains, keyword_init: true) do
          include Value
        end

        # Values as marks on one axis.
        #
        #   rows  [{ name:, text:, marks: [[value, kind, text]], from:, to: (a line between these,
        #         or nil) }]; a kind is :boot, :mean, :early, :middle or :late
        #   unit  as of an Axis
        #   zero  whether the axis begins at 0
        Dots = Struct.new(:key, :title, :text, :rows, :unit, :zero, keyword_init: true) do
          include Value
        end

        # Lines and marks between two axes.
        #
        #   height  in pixels
        #   top     pixels left free above
        #   limits  [Limit]
        #   lines   [Line]; those with a name are explained by a legend
        #   marks   [Mark]
        Chart = Struct.new(:key, :title, :text, :height, :top, :across, :down, :limits, :lines,
                           :marks, keyword_init: true) do
          include Value
        end

        # An axis that has room for these values.
        #
        #   unit   of its ticks: :per_s, :ms, :megabytes, :percent, :connections or :batch
        #   ticks  about how many, or { value => text }
        #   log    whether it is logarithmic
        #   zero   whether it begins at 0
        #   plain  whether only the texts of its ticks are shown
        Axis = Struct.new(:values, :unit, :ticks, :log, :zero, :plain, keyword_init: true) do
          include Value
        end

        # A value that lines should not cross: at a place of the axis `down`, or else `across`.
        Limit = Struct.new(:down, :across, :text, keyword_init: true) { include Value }

        #   points  [[x, y], ...]; nil interrupts the line
        #   name    nil: it has none
        #   series  its number: a series has the same colour in all pictures; nil: a bound
        Line = Struct.new(:points, :name, :series, keyword_init: true) { include Value }

        #   y        nil: beyond the picture, at its top
        #   ends     [low, high] of its interval; nil: none is drawn
        #   shape    :disc, :up, :cross or :tick; nil: that of the series
        #   series   nil: the tone decides how it looks
        #   tone     of an outcome (Report::Tone); nil: it is none
        #   text     what it stands for
        #   label    stands beside it; nil: nothing does
        #   aside    the end of the label, where there is room
        Mark = Struct.new(:x, :y, :ends, :shape, :series, :tone, :small, :text, :label, :aside,
                          keyword_init: true) do
          include Value
        end

        # How often values are in each range, on a logarithmic axis with a unit as of an Axis:
        # [[from, to, count, text], ...].
        Bars = Struct.new(:key, :title, :text, :unit, :bars, keyword_init: true) { include Value }

        # Latencies over time, as cells.
        #
        #   edges_ms  where each row of cells begins, and where the last one ends
        #   panels    [{ name:, title:, text:, caption:, counts: (columns of cells), starts: (those
        #             in which boots begin), unanswered: (of each column) }]
        Heat = Struct.new(:edges_ms, :panels, keyword_init: true) { include Value }
      end
    end
  end
end
