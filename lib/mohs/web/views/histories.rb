# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The list of histories. document: { tracks: { name => number of points } }.
      class Histories < View
        ID = "histories"
        TITLE = "The newest first"

        #: () -> untyped
        def content
          tracks = @document[:tracks]
          if tracks.empty?
            return element(:p, "No histories yet. The first point: ",
                           element(:code, Track::History.first_point.to_s))
          end

          rows = tracks.map do |name, points|
            [link(name, "/histories/#{Page.segment(name)}"), [points.to_s, points]]
          end
          table("Histories", %w[history points], rows)
        end
      end
    end
  end
end
