# frozen_string_literal: true

module Mohs
  module Doctor
    # What one check found. value: a number in `unit`, or a word (unit nil), nil where not known;
    # level: "ok", "warn", "bad", or "unknown" where it can't be read; detail: the finding in words,
    # or why it isn't known; remedy: a command or a sentence, nil where nothing is to be done.
    Result = Struct.new(:name, :label, :value, :unit, :level, :detail, :remedy,
                        keyword_init: true) { include Value }
  end
end
