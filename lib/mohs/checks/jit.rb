# frozen_string_literal: true

module Mohs
  module Checks
    # The JIT that the server's process speaks of is the one declared, after boot as at the end.
    # Rails 8.1 turns YJIT on by itself, and an application can keep it off in spite of the flag:
    # only the process knows.
    class Jit < Base
      # Those that a plain CRuby leaves off. (JRuby and TruffleRuby compile without being asked.)
      OPTIONAL = %w[yjit mjit rjit zjit].freeze

      private

      def needs = [:jit]

      def judge
        declared, boot, ending = @facts[:jit].values_at(:declared, :at_boot, :at_end)
        return unknown("the server does not say") if boot.nil? || ending.nil?
        return invalid("JIT was #{boot} after boot and #{ending} at the end") if boot != ending
        return pass("#{boot}, after boot and at the end") if boot == declared

        return undeclared(boot) unless declared

        invalid("JIT should be #{declared}, but the server says it is #{boot}")
      end

      def undeclared(boot)
        return pass("#{boot}, after boot and at the end") unless OPTIONAL.include?(boot)

        warn("JIT is #{boot}, though no flag asks for it (the application does?)")
      end
    end
  end
end
