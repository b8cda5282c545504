# frozen_string_literal: true

require "test_helper"

module Mohs
  module Compare
    class OneSidedJitTest < TestCase
      include StudyBuild

      RUBIES = FakeRubies.new(*%w[3.4.5 3.3.8 3.1.2].map { |name|
        FakeRubies.ruby(name, flags: %w[--yjit])
      })

      # The two as they would have the same JIT; nil if there is nothing to say.
      def alike(*variants, jit: "yjit", **declaration)
        own_jit = App::OwnJit.new(jit:, where: "config/application.rb:1") if jit
        study = build(app: app(ruby: "3.4.5", ruby_source: ".ruby-version", own_jit:), variants:,
                      rubies: RUBIES, **declaration)
        OneSidedJit.of(variants.map { |text| notation(text) }, study.variants)&.alike
      end

      test "another Ruby than yours has no JIT unless that is said" do
        assert_equal ["yours", "3.3.8 own-jit"], alike("yours", "3.3.8")
        assert_equal ["3.3.8 own-jit", "yours"], alike("3.3.8", "yours")
        assert_equal ["yours", "3.3.8 own-jit, puma:2x5"], alike("yours", "3.3.8, puma:2x5")
        assert_equal ["yours, puma:2x5", "3.4.5 own-jit"], alike("yours, puma:2x5", "3.4.5")
      end

      test "nothing is said where a JIT was named, or is what is compared" do
        [["yours", "3.3.8 without YJIT"], ["yours", "3.3.8 --yjit"], ["yours", "3.3.8 own-jit"],
         ["yours", "3.4.5"], ["3.3.8", "3.4.5"], ["yours", "3.3.8, RUBY_YJIT_ENABLE=1"]]
          .each { |pair| assert_nil alike(*pair), pair.join(" ") }
        assert_nil alike("yours", "3.3.8", own_jit: true)
      end

      test "nor where no application turns a JIT on, or can't under that Ruby" do
        assert_nil alike("yours", "3.3.8", jit: nil)
        assert_nil alike("yours", "3.1.2")
      end
    end
  end
end
