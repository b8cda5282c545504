# frozen_string_literal: true

module Mohs
  # Findings of self-checks, by their code and values.
  module CheckHelper
    def check(name, facts) = Analysis::Checks.fetch(name).new.call(facts)

    def assert_found(severity, kind, found, **values)
      assert_equal [severity, kind.to_s], [found.severity, found.code.split(".").last], found
      values.each do |name, value|
        next assert_in_delta(value, found.values[name], 1e-9, found) if value.is_a?(Float)

        assert_equal value, found.values[name], found
      end
    end
  end
end
