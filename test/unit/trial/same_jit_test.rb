# frozen_string_literal: true

require "test_helper"

module Mohs
  # When two trials that differ in their JIT only are known to run the same.
  class SameJitTest < TestCase
    # Without a server: attests these JITs, one after the other.
    class Attested < Trial
      def initialize(setup, jits)
        super(id: 1, setup:, folder: "/nowhere", spawner: Process::Spawner.new,
              place: Cohort::Layout::Place.new(worker: 0))
        @jits = jits
        @attested = attestation
      end

      # As after the last step of its warm-up.
      def warm = tap { attest_warm }

      # As after the last slice.
      def finish = tap { @attested_at_end = attestation }

      private

      def attestation
        jit = @jits.shift
        { jit:, jit_by_app: ({ jit:, where: "config.ru:1" } if jit == "yjit"), workers: 9 }
      end
    end

    def trial(*jits, ruby: "3.4.5", engine: "ruby", **members)
      variant = Study::Variant.new(name: members.to_s, ruby:, engine:, server: "puma", **members)
      study = Study.new(app: "/app", variants: [variant],
                        requests: [App::Request.build(path: "/")])
      setup = Trial::Setup.new(study:, variant:, app: App.new(name: "x", dir: "/app"), bundle: nil,
                               random: Random.new(1), shell: {},
                               ruby: FakeRubies.ruby(ruby, engine:, flags: ["--yjit"]))
      Attested.new(setup, jits)
    end

    def own(*jits) = trial(*jits, own_jit: true)

    def same(one, other)
      other.must_differ_from(one)
      nil
    rescue TrialError => error
      error.reason.cause.last.slice(:jit, :where)
    end

    test "a JIT that is on right after boot stays on: both run the same" do
      assert_equal({ jit: "yjit", where: "config.ru:1" },
                   same(trial("yjit", flags: ["--yjit"]), own("yjit")))
      assert_nil same(own("yjit"), trial("off"))
    end

    test "where none is on, the application may still turn one on, until the end" do
      assert_nil same(own("off"), trial("off"))
      assert_nil same(own("off", "off").warm, trial("off").warm)
      assert_nil same(own("off", "off").finish, trial("off"))
      assert_nil same(own("off", "off", "yjit").warm.finish, trial("off", "off").warm.finish)
    end

    test "one that is turned on before the server is warm is known then" do
      assert_equal({ jit: "yjit", where: "config.ru:1" },
                   same(trial("yjit", flags: ["--yjit"]).warm, own("off", "yjit").warm))
    end

    test "where none is on at the end, both have run the same" do
      none = { jit: "off", where: nil }

      assert_equal none, same(own("off", "off").finish, trial("off", "off").finish)
      assert_equal none, same(trial("off", "off").finish, own("off", "off").finish)
    end

    test "where the engine decides about its JIT, that makes no two variants the same" do
      jruby = { ruby: "jruby-10.0.2.0", engine: "jruby" }

      assert_nil same(trial("jit", own_jit: true, **jruby), trial("jit", **jruby))
    end

    test "the JIT of a warm server is attested where the application decides, and nothing else" do
      yours = own("off", "yjit").warm

      assert_equal({ jit: "yjit", jit_by_app: { jit: "yjit", where: "config.ru:1" }, workers: 9 },
                   yours.attested)
      assert_equal "off", trial("off", "yjit").warm.attested[:jit]
    end
  end
end
