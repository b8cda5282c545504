# frozen_string_literal: true

require "test_helper"

module Mohs
  class RubiesSpecTest < TestCase
    include RubyFacts
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-rubies"

    def rubies
      [ruby("3.1.2"), ruby("3.4.5"), ruby("3.4.10"), ruby("9.4.14.0", engine: "jruby"),
       ruby("10.0.2.0", engine: "jruby"),
       ruby("25.0.0", engine: "truffleruby")]
    end

    def pick(spec, from = rubies) = Rubies::Spec.pick(spec, from).name

    test "a Ruby is found by its name" do
      assert_equal "3.4.5", pick("3.4.5")
      assert_equal "jruby-10.0.2.0", pick("jruby-10.0.2.0")
    end

    test "the prefix that other tools write is understood" do
      assert_equal "3.4.5", pick("ruby-3.4.5")
    end

    test "the beginning of a name means the newest such Ruby, by version and not by letters" do
      assert_equal "3.4.10", pick("3.4")
      assert_equal "jruby-10.0.2.0", pick("jruby")
      assert_equal "jruby-9.4.14.0", pick("jruby-9.4")
      assert_equal "3.4.10", pick("ruby")
    end

    test "what was not released is not the newest" do
      early = [*rubies, ruby("4.0.0-preview2"), ruby("4.1.0dev")]
      assert_equal "3.4.10", pick("ruby", early)
      released = [ruby("4.1.0"), *early]
      assert_equal %w[4.1.0 4.1.0], [pick("4.1", released), pick("ruby", released)]
    end

    test "one digit is no Ruby: it may be a number that was meant for a server" do
      error = assert_raises(UsageError) { pick("3") }

      assert_said(error.message)
      assert_raises(UsageError) { pick("ruby-3") }
      assert_said(assert_raises(UsageError) { pick("4") }.message)
    end

    test "a beginning ends where a number ends" do
      assert_raises(UsageError) { pick("3.4.1") }
      assert_raises(UsageError) { pick("jruby-1") }
    end

    test "of several that begin so one that starts is preferred, but a name means that one" do
      broken = ruby("3.4.11", state: :broken)
      assert_equal "3.4.10", pick("3.4", [*rubies, broken])
      assert_equal "3.4.11", pick("3.4.11", [*rubies, broken])
      assert_equal "3.4.11", pick("3.4", [broken])
    end

    test "a development version is selected only by its full name, never by that of the release" do
      found = [*rubies, ruby("3.5.0dev", language: "3.5.0"), ruby("3.6.0preview1"),
               ruby("10.1.0.0-SNAPSHOT", engine: "jruby")]
      %w[3.5 3.5.0 ruby-3.5 3.6 jruby-10.1].each do |spec|
        assert_raises(UsageError, spec) { pick(spec, found) }
      end
      assert_equal "3.5.0dev", pick("3.5.0dev", found)
      assert_equal %w[3.4.10 jruby-10.0.2.0], [pick("ruby", found), pick("jruby", found)]
      assert_equal "3.5.0dev", pick("ruby", [ruby("3.5.0dev")])
      error = assert_raises(UsageError) { pick("3.5.0", [ruby("3.5.0dev")]) }
      assert_said(error.message)
    end

    test "an unknown one is answered with the nearest spelling or with what there is" do
      near = assert_raises(UsageError) { pick("3.4.6") }
      assert_said(near.message)
      far = assert_raises(UsageError) { pick("cobol", rubies.first(2)) }
      assert_includes far.message, "Found: 3.1.2, 3.4.5."
      none = assert_raises(UsageError) { pick("3", []) }
      assert_said(none.message)
    end

    test "a path means its file, or bin/ruby in its folder" do
      with_files("r/bin/ruby" => "#!/bin/sh\n") do |folder|
        File.chmod(0o755, "#{folder}/r/bin/ruby")
        assert_equal "#{folder}/r/bin/ruby", Rubies::Spec.executable("#{folder}/r")
        assert_equal "#{folder}/r/bin/ruby", Rubies::Spec.executable("#{folder}/r/bin/ruby")
        error = assert_raises(UsageError) { Rubies::Spec.executable("#{folder}/none") }
        assert_said(error.message)
        File.chmod(0o644, "#{folder}/r/bin/ruby")
        assert_raises(UsageError) { Rubies::Spec.executable("#{folder}/r") }
        FileUtils.mkdir_p("#{folder}/odd/bin/ruby")
        assert_raises(UsageError) { Rubies::Spec.executable("#{folder}/odd") }
      end
    end

    test "a name is no path" do
      assert_nil Rubies::Spec.executable("3.4.5")
    end
  end
end
