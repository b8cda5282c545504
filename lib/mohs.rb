# frozen_string_literal: true

require "zeitwerk"

# A laboratory for Ruby serving: see docs/architecture.md for the rooms and what passes between
# them.
module Mohs
  LOADER = Zeitwerk::Loader.for_gem
  LOADER.inflector.inflect("cli" => "CLI")
  LOADER.collapse("#{__dir__}/mohs/procedures") # Mohs::Tune, not Mohs::Procedures::Tune
  LOADER.collapse("#{__dir__}/mohs/procedures/*/*") # parts of one, which are no namespaces either
  LOADER.ignore("#{__dir__}/mohs/inside") # runs inside the measured servers, never in ours
  LOADER.ignore("#{__dir__}/mohs/errors.rb") # several classes, required below
  LOADER.ignore("#{__dir__}/mohs/store/migrations") # scripts that Sequel loads
  # Their gems are loaded for the dashboard and for a fleet alone: no measurement needs them.
  LOADER.do_not_eager_load("#{__dir__}/mohs/web.rb", "#{__dir__}/mohs/web",
                           "#{__dir__}/mohs/fleet/cohort_job.rb")
  LOADER.setup

  # The folder of the gem or checkout: bundled apps, studies and docs stand below it.
  #: () -> String
  def self.root = File.expand_path("..", __dir__)
end

require_relative "mohs/errors"
