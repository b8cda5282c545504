# frozen_string_literal: true

require "test_helper"

module Mohs
  class BundleManifestTest < TestCase
    def with_manifest
      with_files("app/Gemfile" => "gem", "other" => "x") do |root|
        gems = { "puma" => { "version" => "8.0.2", "executables" => { "puma" => "/g/bin/puma" } },
                 "rack" => { "version" => "3.2.8", "executables" => {} } }
        File.write("#{root}/report",
                   JSON.generate("gems" => gems, "inputs" => ["#{root}/app/Gemfile"]))
        App::Bundle::Manifest.write(report: "#{root}/report", path: "#{root}/manifest.json")
        yield root, "#{root}/manifest.json"
      end
    end

    test "versions and executables are known without starting anything" do
      with_manifest do |_, path|
        manifest = App::Bundle::Manifest.load(path)
        assert_equal({ "puma" => "8.0.2", "rack" => "3.2.8" }, manifest.versions)
        assert_equal "/g/bin/puma", manifest.executable("puma")
        assert_nil manifest.executable("rackup")
      end
    end

    test "a changed or vanished input makes it out of date" do
      with_manifest do |root, path|
        File.write("#{root}/app/Gemfile", "gem two")
        assert_nil App::Bundle::Manifest.load(path)
        File.delete("#{root}/app/Gemfile")
        assert_nil App::Bundle::Manifest.load(path)
      end
    end

    test "a missing, truncated or malformed manifest counts as none" do
      with_files("half" => "{\"gems\": {", "other" => "{}") do |root|
        %w[none half other].each { |name| assert_nil App::Bundle::Manifest.load("#{root}/#{name}") }
      end
    end
  end
end
