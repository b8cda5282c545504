# frozen_string_literal: true

require "rbconfig"

module Testers
  # mohs's own driver, the only part here that needs mohs. It runs in its own process
  # (native_load.rb), because a bundle hides gems that are not in it.
  class Native < Tool
    NAME = "native"
    REMEDY = "it is part of mohs"
    MOHS = File.expand_path("../../..", __dir__)
    SCRIPT = File.expand_path("../native_load.rb", __dir__)
    GEMS = File.join(MOHS, "vendor/bundle/bundler/setup.rb") # of a checkout
    CLEAN = %w[RUBYOPT RUBYLIB BUNDLE_GEMFILE GEM_HOME GEM_PATH].to_h { |name| [name, nil] }.freeze

    # Called without a load: the process gets one load after the other (Resident).
    def argv(_load)
      gems = File.exist?(GEMS) ? ["-r", GEMS] : []
      [RbConfig.ruby, "-W0", "-I", File.join(MOHS, "lib"), *gems, SCRIPT]
    end

    def env
      CLEAN
    end

    def threads?
      true
    end

    def runner(_truth, **)
      Resident.new(self)
    end

    def read(output)
      times = %w[p50 p90 p99 max].to_h { |key| [key.to_sym, output[/^#{key} (\d+)$/, 1]] }
      Report.new(per_s: find(output, /^per_s ([\d.]+)$/)&.to_f,
                 errors: find(output, /^errors (\d+)$/)&.to_i, step: (1 if times.values.any?),
                 **times.transform_values { |ns| ns && (ns.to_i / 1e6) })
    end
  end
end
