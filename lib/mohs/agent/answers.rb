# frozen_string_literal: true

module Mohs
  module Agent
    # What an agent may say: its values by their keys, each as a class or a test of its own (===).
    # They are stored, and a report computes with them: unchecked, a wrong one would only be found
    # when the run is over, or whenever it is shown.
    module Answers
      # What a step's result may contain: numbers and flags, and arrays and hashes of them.
      PLAIN = lambda do |value|
        case value
        when nil, true, false, Numeric then true
        when Array then value.all?(PLAIN)
        when Hash then value.each_value.all?(PLAIN)
        else false
        end
      end

      # Of each target; nil of one that was not loaded.
      RESULTS = lambda do |value|
        value.is_a?(Array) && value.all? { |one| one.nil? || (one.is_a?(Hash) && PLAIN === one) }
      end

      # Not held to 0..1: idle times of /proc/stat may run backwards (proc(5)).
      SHARE = ->(value) { value.nil? || value.is_a?(Numeric) }
      MAYBE_HASH = ->(value) { value.nil? || value.is_a?(Hash) }

      MACHINE = lambda do |value|
        value.is_a?(Hash) && [nil, String].any? { |kind| kind === value[:cpu] } &&
          [nil, Integer].any? { |kind| kind === value[:cores] }
      end

      HELLO = { name: String, host: MACHINE, client_address: String }.freeze

      # The answer to each order.
      BY_ORDER = {
        "clock" => { mono_ns: Integer }, "engine" => { epoch_ns: Integer },
        "run" => { results: RESULTS, lost: Integer, steal_share: SHARE },
        "recording" => { records: String, unsent: String },
        "foreign_load" => { foreign_cpu_share: SHARE },
        "failed_response" => { failed_response: MAYBE_HASH },
      }.freeze

      #: (untyped, Hash[Symbol, untyped]) -> bool
      def self.fit?(message, types)
        message.is_a?(Hash) && types.all? { |key, type| type === message[key] }
      end
    end
  end
end
