# frozen_string_literal: true

module Mohs
  module Doctor
    # Checks of the host: a family of pure decisions over Doctor::Facts (checks/base.rb).
    module Checks
      extend Family
      family "check of the host", folder: File.join(__dir__, "checks"), list: "docs/doctor.md"

      # Noise first, then the machine.
      ORDER = %w[gaps own_cpu speed correlation steal other_processes throttling swap pressure
                 governor turbo siblings clock real_time cores memory files ports time_wait].freeze

      # Every check's result.
      #: (Doctor::Facts) -> Array[Doctor::Result]
      def self.call(facts) = in_order.map { |check| check.new(facts).call }

      # The same without those that need a core for themselves.
      #: (Doctor::Facts) -> Array[Doctor::Result]
      def self.cheap(facts)
        in_order.reject { |check| check::NEEDS.include?(:spins) }
                .map { |check| check.new(facts).call }
      end

      def self.in_order
        names.sort_by { |name| [ORDER.index(name) || ORDER.size, name] }.map { |name| fetch(name) }
      end
      private_class_method :in_order
    end
  end
end
