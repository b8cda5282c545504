# frozen_string_literal: true

module Mohs
  # Root of all errors that mohs raises deliberately. A subclass is named after what the user can
  # do about it; the message says what happened, where, and what to do. A server that crashes or
  # responds wrongly is a result, never one of these.
  class Error < StandardError
    # What the system says, "No such file or directory", without the call that failed and its path.
    # What mohs itself says of a file (PathSafety) stays.
    #: (SystemCallError) -> String
    def self.system(error) = error.message.split(" @ ").first

    # Exit status of a command that ends with this error.
    #: () -> Integer
    def exit_status = 1
  end

  # The command line is wrong: unknown option, missing argument, unknown name.
  class UsageError < Error
    # For a file that the system can't read.
    #: (String, SystemCallError) -> UsageError
    def self.unreadable(file, error) = new("#{file} can't be read: #{system(error)}.")

    def exit_status = 2
  end

  # A study file is wrong; the message starts with the key path ("variants/2/server: ...").
  class StudyError < Error
    attr_reader :key_path, :detail

    #: (String, String) -> void
    def initialize(key_path, message)
      @key_path = key_path
      @detail = message
      super("#{key_path}: #{message}")
    end

    def exit_status = 3
  end

  # This machine lacks something that mohs needs, or refuses it.
  class EnvironmentError < Error
    # For a server that must be running already: nothing listens at this place.
    #: (String) -> EnvironmentError
    def self.silent(place) = new("nothing is listening on #{place}. Start the server first.")

    def exit_status = 4
  end

  # The store cannot be opened, read or written.
  class StoreError < Error; end

  # The server of the store refuses the user: trying again changes nothing.
  class StoreAccessError < StoreError
    def exit_status = 4
  end

  # Errors raised while reading a file that has the right format but wrong content.
  MALFORMED = [NoMethodError, TypeError, ArgumentError, IndexError, RangeError, EncodingError,
               ZeroDivisionError].freeze

  # A trial that can't go on. The trial itself rescues it and turns it into a row. state: refused
  # (never served), failed (served, then broke), invalid (served, but its figures mean nothing), or
  # lost (left out). reason: why. log_tail: the server's last lines.
  class TrialError < Error
    attr_reader :state, :reason, :log_tail

    # From a Reason, or from a summary with its code and values.
    #: (Reason | String, ?state: Symbol, ?log_tail: String?, ?code: String, ?values: Hash[Symbol, untyped]) -> void
    def initialize(reason, state: :failed, log_tail: nil, **cause)
      @state = state
      @reason = reason.is_a?(Reason) ? reason : Reason.new(summary: reason, **cause)
      @log_tail = log_tail
      super(@reason.to_s)
    end
  end
end
