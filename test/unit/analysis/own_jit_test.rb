# frozen_string_literal: true

require "test_helper"

module Mohs
  module Analysis
    class OwnJitTest < TestCase
      Trial = Struct.new(:variant, :attested)
      FOUND = { jit: "yjit", where: "config/application.rb:24" }.freeze

      def call(by_app, **variants)
        study = Study.new(variants: variants.map { |name, members|
          Study::Variant.new(name: name.to_s, **members)
        })
        trials = variants.keys.map { |name| Trial.new(name.to_s, { jit_by_app: by_app[name] }) }
        OwnJit.call(trials * 2, study)
      end

      test "for whom the application's JIT was kept off, and who runs it" do
        finding = call({ a: FOUND, b: FOUND, c: FOUND }, a: {}, b: { own_jit: true },
                                                         c: { asked_jit: "yjit" })

        assert_equal ["jit_by_app", { **FOUND, off: ["a"], on: ["b"] }],
                     [finding.code, finding.values]
      end

      test "a variant that asks for another JIT has that one, not the application's" do
        finding = call({ a: FOUND, z: FOUND }, a: { own_jit: true },
                                               z: { asked_jit: "zjit", own_jit: false })

        assert_equal({ **FOUND, off: [], on: ["a"], other: ["z"] }, finding.values)
      end

      test "nothing to say if no application asks for a JIT" do
        assert_nil call({}, a: {}, b: { own_jit: true })
      end

      test "nor if every variant asks for the same one by its flags" do
        assert_nil call({ a: FOUND, b: FOUND }, a: { asked_jit: "yjit" }, b: { asked_jit: "yjit" })
      end
    end
  end
end
