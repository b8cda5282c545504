# frozen_string_literal: true

module Mohs
  module Track
    # A history: its points as a plot, then its changes.
    class Layout < Report::Terminal::Layout
      KIND = View::KIND

      private

      def above = picture ? [plot] : []

      def picture = @view.pictures[:history]

      def plot
        label = ->(value) { format("%+.1f %%", value) }
        Plot.new(picture[:values], stretches: picture[:stretches],
                                          changes: picture[:changes], label:,
                                          style: @style).lines.join("\n")
      end

      # What the marks of the plot mean, then the others.
      def remarks
        return super unless picture

        text = "#{Plot::POINT} a point, #{Plot::LINE} the mean between changes, " \
               "#{Plot::CHANGE} a change; up is " \
               "#{picture[:better] == 'more' ? 'better' : 'worse'}"
        [Report::View::Remark.new(name: "picture", text:), *super]
      end
    end
  end
end
