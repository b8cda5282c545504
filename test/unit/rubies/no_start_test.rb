# frozen_string_literal: true

require "test_helper"

module Mohs
  class NoStartTest < TestCase
    include RubyFacts
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-rubies"

    # Said by JRuby 10.0.2.0 on Java 17.
    OLD_JAVA =
      "Error: LinkageError occurred while loading main class org.jruby.Main\n\tjava.lang." \
      "UnsupportedClassVersionError: org/jruby/Main has been compiled by a more recent version " \
      "of the Java Runtime (class file version 65.0), this version of the Java Runtime only " \
      "recognizes class file versions up to 61.0\n"

    def explain(...) = Rubies::NoStart.explain(answer(...), timeout_s: 90)

    test "a Java that is too old is named with the one needed, and what to do" do
      found = explain(stderr: OLD_JAVA, code: 1)
      assert_said(*[found.summary, found.remedy])
      assert_equal ["java_too_old", { needed: 21, found: 17 }], found.cause
      assert_equal 21, Rubies::NoStart.java_needed(OLD_JAVA)
    end

    test "a missing Java is told" do
      assert_includes explain(stderr: "/opt/jruby/bin/jruby: java: command not found\n",
                              code: 127).to_s, "found none\nInstall"
      assert Rubies::NoStart.java_missing?("Error: No `java` executable found in PATH.")
      refute Rubies::NoStart.java_missing?("syntax error")
      assert_nil Rubies::NoStart.java_needed("syntax error")
    end

    test "a missing library is named" do
      output = explain(stderr: "ruby: error while loading shared libraries: libssl.so.1.1: " \
                             "cannot open shared object file: No such file\n", code: 127)
      assert_match(/libssl\.so\.1\.1\nInstall/, output.to_s)
    end

    test "the newest C library that is missing is named" do
      log = File.read(File.expand_path("../../fixtures/troubles/starts/libc_too_old.log", __dir__))
      found = explain(stderr: log, code: 1)

      assert_equal ["libc_too_old", { needed: "2.95" }], found.cause
      assert_match(/\Aneeds glibc 2\.95, .*\nBuild/, found.to_s)
    end

    test "silence is told with how long it lasted" do
      assert_includes explain(timed_out: true).summary, " 90 s"
    end

    test "of anything else the first line is shown, or how it ended" do
      assert_equal "does not start: Exec format error",
                   explain(stderr: "\n  Exec format error\nmore\n", code: 126).to_s
      assert_equal "does not start: exit 3", explain(code: 3).to_s
    end
  end
end
