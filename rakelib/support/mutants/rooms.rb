# frozen_string_literal: true

module Mutants
  # The rooms whose code only computes: the files that are mutated, and the tests that must notice.
  ROOMS = {
    "stats" => [%w[lib/mohs/stats.rb lib/mohs/stats/**/*.rb], %w[test/unit/stats/**/*_test.rb]],
    "plan" => [%w[lib/mohs/plan.rb lib/mohs/plan/**/*.rb],
               %w[test/unit/plan_test.rb test/unit/plan/**/*_test.rb]],
    "study" => [%w[lib/mohs/study.rb lib/mohs/study/**/*.rb],
                %w[test/unit/study_test.rb test/{unit,integration}/study/**/*_test.rb]],
    "analysis" => [%w[lib/mohs/analysis.rb lib/mohs/analysis/**/*.rb],
                   %w[test/unit/analysis/**/*_test.rb
                      test/contract/{checks,host_checks}_test.rb]],
    "procedures" => [%w[lib/mohs/procedure.rb lib/mohs/procedure{,s}/**/*.rb],
                     %w[test/unit/procedures/**/*_test.rb]],
    "parsers" => [
      %w[lib/mohs/cli/{due_times,options,env_file}.rb lib/mohs/app/request.rb
         lib/mohs/app/traffic.rb lib/mohs/app/traffic/**/*.rb lib/mohs/rubies.rb
         lib/mohs/servers.rb lib/mohs/load/{limit,address,arrivals}.rb],
      %w[test/unit/cli/{due_times,options,env_file,mistakes}_test.rb
         test/unit/app/request_test.rb test/unit/app/traffic_test.rb
         test/unit/app/traffic/**/*_test.rb test/contract/traffic_formats_test.rb
         test/unit/rubies/{spec,naming,java,ruby}_test.rb
         test/unit/servers/servers_test.rb
         test/unit/load/{limit,address,arrivals}_test.rb],
    ],
  }.freeze
end
