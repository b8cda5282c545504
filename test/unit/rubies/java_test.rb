# frozen_string_literal: true

require "test_helper"

module Mohs
  class JavaTest < TestCase
    def with_javas(versions)
      files = versions.flat_map do |folder, version|
        [["#{folder}/bin/java", "#!/bin/sh\n"],
         ["#{folder}/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"#{version}\"\n"]]
      end
      with_files(files.to_h) do |root|
        Dir.glob("#{root}/**/bin/java").each { |file| File.chmod(0o755, file) }
        yield root
      end
    end

    def found(root, env, **options)
      Rubies::Java.all(env, **options).select { |java| java.home.start_with?(root) }
                  .map { |java| [java.home.delete_prefix("#{root}/"), java.version] }
    end

    test "JAVA_HOME comes first, then PATH, then what another Ruby brought along" do
      with_javas("a" => "17.0.15", "b" => "21", "truffle/jre" => "25.0.3") do |root|
        env = { "JAVA_HOME" => "#{root}/b", "PATH" => "/nowhere:#{root}/a/bin" }
        assert_equal [["b", 21], ["a", 17], ["truffle/jre", 25]],
                     found(root, env, rubies: ["#{root}/truffle"])
      end
    end

    test "the way Java 8 spells its version is understood" do
      with_javas("a" => "1.8.0_412") do |root|
        assert_equal [["a", 8]], found(root, { "JAVA_HOME" => "#{root}/a" })
      end
    end

    test "a folder or a text on PATH that is called java is none" do
      with_javas("a" => "21") do |root|
        FileUtils.mkdir_p("#{root}/x/java")
        FileUtils.mkdir_p("#{root}/y")
        File.write("#{root}/y/java", "notes")
        assert_equal [["a", 21]], found(root, { "PATH" => "#{root}/x:#{root}/y:#{root}/a/bin" })
      end
    end

    test "a release without a version is none" do
      with_javas("a" => "") { |root| assert_empty found(root, { "JAVA_HOME" => "#{root}/a" }) }
    end

    test "links are followed, one runtime counts once" do
      with_javas("a" => "21") do |root|
        File.symlink("#{root}/a", "#{root}/link")
        env = { "JAVA_HOME" => "#{root}/link", "PATH" => "#{root}/a/bin" }
        assert_equal [["a", 21]], found(root, env)
      end
    end

    test "a folder without java or without a release file is none" do
      with_files("a/release" => "JAVA_VERSION=\"21\"\n", "b/bin/java" => "") do |root|
        File.chmod(0o755, "#{root}/b/bin/java")
        assert_empty found(root, { "JAVA_HOME" => "#{root}/a", "PATH" => "#{root}/b/bin" })
      end
    end
  end
end
