# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class RealTimeTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-process"

      LIMITS = "Limit  Soft Limit  Hard Limit  Units\nMax realtime timeout      %s  unlimited  us\n"

      def grants(limit: "unlimited", kernel: nil, **files)
        given = { "proc/self/limits" => format(LIMITS, limit),
                  "proc/sys/kernel/osrelease" => kernel,
                  **files.transform_keys { |name| "proc/sys/kernel/sched_rt_#{name}_us" } }
        RealTime.grants { |path| given[path] }
      end

      def obstacle(**given) = RealTime.obstacle(**grants(period: "1000000\n", **given))

      test "the kernel's words become numbers, and what it does not say is nil" do
        assert_equal({ runtime_us: 950_000, period_us: 1_000_000, limit_us: nil, kernel: nil },
                     grants(runtime: "950000\n", period: "1000000\n"))
        assert_equal({ runtime_us: nil, period_us: nil, limit_us: 200_000, kernel: "5.10.0-26" },
                     grants(limit: "200000", kernel: "5.10.0-26\n"))
        assert_equal [nil], RealTime.grants { nil }.values.uniq
      end

      test "what would leave nothing to others, or end a busy server, is not used" do
        assert_nil obstacle(runtime: "950000\n")
        assert_nil RealTime.obstacle(**grants), "nothing known is nothing against it"
        assert_said(obstacle(runtime: "-1\n"))
        assert_said(obstacle(runtime: "1000000\n"))
        assert_match(/ended after 200000 µs .*RLIMIT_RTTIME/, obstacle(limit: "200000"))
      end

      test "where softirqs would wait behind servers it is not used" do
        found = %w[4.8.17 4.9.0 5.15.0-91-generic 6.4.12 6.5.0 6.18.44 10.0 unknown].select do |one|
          obstacle(kernel: "#{one}\n")&.include?("network packets wait")
        end

        assert_equal %w[4.9.0 5.15.0-91-generic 6.4.12], found
      end
    end
  end
end
