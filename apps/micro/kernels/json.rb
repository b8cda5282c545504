# frozen_string_literal: true

require "json"

module Micro
  # Some records, rendered as an API does.
  class Json
    RECORDS = Array.new(50) do |id|
      { id: id, name: "Item #{id}", price: id * 1.25, tags: %w[new used], sold: id.odd? }
    end.freeze

    def type
      "application/json"
    end

    def call
      JSON.generate(items: RECORDS.map { |one| one.merge(path: "/items/#{one[:id]}") },
                    count: RECORDS.size)
    end
  end
end
