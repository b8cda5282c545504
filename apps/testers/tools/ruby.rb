# frozen_string_literal: true

require "rbconfig"

module Testers
  # A tester of our own in Ruby (home_made.rb), like the one that the source has built.
  class HomeMade < Tool
    NAME = "ruby"
    REMEDY = "it is the Ruby that runs this"
    SCRIPT = File.expand_path("../home_made.rb", __dir__)
    CLEAN = { "RUBYOPT" => nil, "BUNDLE_GEMFILE" => nil }.freeze

    def argv(load)
      [RbConfig.ruby, "--disable-gems", SCRIPT, load.port, load.requests, load.connections]
    end

    def env
      CLEAN
    end

    def read(output)
      times = %w[p50 p90 p99 max].to_h { |key| [key.to_sym, find(output, /^#{key} (\d+us)$/)] }
      Report.new(per_s: find(output, /^per_s ([\d.]+)$/)&.to_f,
                 errors: find(output, /^errors (\d+)$/)&.to_i,
                 **in_ms(times))
    end
  end
end
