# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # Where the driver shares its core with the server, requests/s shows server and driver
      # together: a difference of the server's is diluted by its share of that CPU time (method,
      # table 3b: r 4.74 where c 5.18).
      module Dilution
        # The driver's share from which on requests/s hides a quarter of the difference.
        LEAST = 0.25

        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          slices = comparison.pairs.flat_map(&:trials).flat_map(&:measured_slices)
          return if slices.empty? || slices.any? { |slice| slice.cpu_ns.nil? }

          driver, server = slices.sum(&:driver_cpu_ns), slices.sum(&:cpu_ns)
          share = driver.fdiv(driver + server)
          return if share < LEAST

          Finding.new(code: "dilution", severity: :warn, values: { share: })
        end
      end
    end
  end
end
