# frozen_string_literal: true

require_relative "lib/jobs"

run Jobs.boot(ENV)
