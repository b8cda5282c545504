# frozen_string_literal: true

module Mohs
  class LoadRun
    # A search for a number of connections, as one for a rate.
    class ConnectionLayout < RateLayout
      KIND = ConnectionView::KIND
    end
  end
end
