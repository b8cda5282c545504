# frozen_string_literal: true

module Mohs
  module Agent
    # What an agent may say: its values by their keys, each as a class or a test of its own (===).
    # They are stored, and a report computes with them: a wrong one would be found when a run is
    # over, or whenever it is shown.
    module Answers
      # A number of a step's result, or several.
      FIGURE = lambda do |value|
        case value
        when nil, true, false, Numeric then true
        when Array then value.all?(FIGURE)
        when Hash then value.each_value.all?(FIGURE)
        else false
        end
      end

      # Of each target; nil of one that was not loaded.
      RESULTS = lambda do |value|
        value.is_a?(Array) && value.all? { |one| one.nil? || (one.is_a?(Hash) && FIGURE === one) }
      end

      # Not held to 0..1: idle times of /proc/stat may run backwards (proc(5)).
      SHARE = ->(value) { value.nil? || value.is_a?(Numeric) }
      MAYBE_HASH = ->(value) { value.nil? || value.is_a?(Hash) }

      MACHINE = lambda do |value|
        value.is_a?(Hash) && [nil, String].any? { |kind| kind === value[:cpu] } &&
          [nil, Integer].any? { |kind| kind === value[:cores] }
      end

      HELLO = { name: String, host: MACHINE, client_address: String }.freeze

      # By the order.
      OF = {
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
