# frozen_string_literal: true

module Mohs
  # `mohs run` of streams as its user sees it, with an application of apps whose truth is known.
  module StreamedRun
    LIMIT_S = 600 # with the installation, and waiting for another mohs
    BRIEF = %w[--rounds 1 --slice 500ms --warm-up 1s --json].freeze

    # [exit status, document]
    def run_streams(app, *argv)
      with_files do |dir|
        mohs = MohsCommand.new(dir, env: { "XDG_CACHE_HOME" => AppProcess::CACHE })
        found = mohs.call("run", "--app", File.join(Mohs.root, "apps", app), *argv, *BRIEF,
                          limit_s: LIMIT_S)
        [found.status.exitstatus, found.json]
      end
    end
  end
end
