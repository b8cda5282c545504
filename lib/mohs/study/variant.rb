# frozen_string_literal: true

module Mohs
  class Study
    # One combination of levels. `ruby` and `engine` as Rubies names them; `server` a name of the
    # Servers family with its `processes` and `threads` (nil = as the server counts: fibers);
    # `refusal` why it can't run here at all, known before the start (nil = nothing speaks against
    # it), and `refusal_log` the last lines of what said so.
    class Variant < Struct.new(:name, :ruby, :engine, :flags, :server, :processes, :threads, :env,
                               :refusal, :refusal_log, keyword_init: true)
      # Engines that need a minute to warm up: they compile to machine code in the background.
      SLOW_ENGINES = %w[jruby truffleruby].freeze

      #: (Hash[Symbol, untyped]) -> Study::Variant
      def self.from_h(hash) = new(**hash, env: hash.fetch(:env).transform_keys(&:to_s))

      #: (**untyped) -> void
      def initialize(**values)
        super(engine: "ruby", flags: [], env: {}, **values)
        freeze
      end

      # Does it boot and warm up in a minute rather than in a second?
      #: () -> bool
      def slow? = SLOW_ENGINES.include?(engine)

      # Requests that it works on at the same time; nil where nothing limits them.
      #: () -> Integer?
      def slots = threads && (threads * (processes || 1))

      # Is it the same thing under another name?
      #: (Study::Variant) -> bool
      def same_as?(other) = to_h.except(:name) == other.to_h.except(:name)
    end
  end
end
