# frozen_string_literal: true

module Mohs
  class Verification
    # The result of one server on one Ruby of this machine. server, ruby: names. digest: the Ruby's.
    # state: "verified" (it booted and responded) or "refused", with its `reason` (a Reason) and the
    # server's last lines, `log_tail`. version: of the server; nil if its process can't tell it.
    # traits: { name => Trait } of what was tried. at_ms: when (since 1970). seconds: how long it
    # took, without installing; nil if it could not be installed.
    class Result < Struct.new(:server, :ruby, :engine, :digest, :state, :reason, :log_tail,
                              :version, :traits, :at_ms, :seconds, :mohs, keyword_init: true)
      # One thing that a server does or does not do. seen: whether it does. asked, counted: if it is
      # counted, how many were asked for and how many were counted. reason: why, if it did not even
      # boot in that way.
      class Trait < Struct.new(:seen, :asked, :counted, :reason, keyword_init: true)
        include Value

        #: (Hash[Symbol, untyped]) -> Verification::Result::Trait
        def self.from_h(hash) = new(**hash, reason: Reason.restore(hash[:reason], nil))

        # Ready for JSON.
        #: () ?{ (Symbol, untyped) -> [Symbol, untyped] } -> Hash[Symbol, untyped]
        def to_h = super.merge(reason: reason&.to_h)
      end

      include Value

      #: (Hash[Symbol, untyped]) -> Verification::Result
      def self.from_h(hash)
        new(**hash, traits: hash.fetch(:traits).transform_values { |facts| Trait.from_h(facts) },
                    reason: Reason.restore(hash[:reason], nil))
      end

      # Ready for JSON.
      #: () ?{ (Symbol, untyped) -> [Symbol, untyped] } -> Hash[Symbol, untyped]
      def to_h = super.merge(traits: traits.transform_values(&:to_h), reason: reason&.to_h)

      #: () -> bool
      def verified? = state == "verified"
    end
  end
end
