# frozen_string_literal: true

require "json"
require "tmpdir"
require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # How often `mohs compare` is right, and how quickly: real comparisons of an application with
  # itself and with a copy that is slower by a known amount, in random order within one session,
  # and the common practice that they replace. `rake calibrate` runs it (docs/calibration.md).
  module Calibration
    # Sessions before they are published.
    FOLDER = File.join(Mohs.root, "tmp", "calibration")

    # Published sessions: the figures behind docs/calibration.md, replayed by every test run.
    FIXTURES = File.join(Mohs.root, "test", "fixtures", "cohorts")
  end
end

require_relative "clopper_pearson"
%w[settings ledger agenda burning_app server truth dose live practice session summary replay page
   picture pictures publication verdict_times]
  .each { |name| require_relative "calibration/#{name}" }
