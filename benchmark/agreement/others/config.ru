# frozen_string_literal: true

require_relative "../pages"

run Pages
