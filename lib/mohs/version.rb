# frozen_string_literal: true

module Mohs
  VERSION = "0.1.0"
end
