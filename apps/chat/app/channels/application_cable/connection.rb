# frozen_string_literal: true

module ApplicationCable
  # Anybody may connect.
  class Connection < ActionCable::Connection::Base
  end
end
