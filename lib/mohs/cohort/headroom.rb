# frozen_string_literal: true

module Mohs
  module Cohort
    # What the driver could do at most where a cohort was measured (Load::Headroom): asked once for
    # a run, behind its first cohort, when no server is there to be disturbed. All variants are
    # asked for the same, and by the same driver.
    class Headroom
      #: (?driver: Class) -> void
      def initialize(driver: Drivers.fetch("native"))
        @driver = driver
      end

      # Answers a second of a server that does nothing; nil while none was measured, or as there.
      #: (Array[Trial::Life], Cohort::Layout) -> Float?
      def call(lives, layout)
        life = lives.find(&:recording)
        return @empty_per_s if @empty_per_s || life.nil?

        driver = ->(**options) { @driver.new(**options) }
        @empty_per_s = Load::Headroom.new(driver:, cpus: layout.driver_cpus.first(1))
                                     .call(life.target, body_bytes: life.answers.first.length.to_i)
      end
    end
  end
end
