# frozen_string_literal: true

require "test_helper"

module Mohs
  class LockfileTest < TestCase
    LOCK = <<~TEXT
      PATH
        remote: .
        specs:
          thing (1.0)
            rack (~> 3.0)

      PATH
        remote: vendor/local
        specs:
          local (0.1)

      GEM
        remote: https://rubygems.org/
        specs:
          nokogiri (1.15.7-x86_64-linux)
            racc (~> 1.4)
          puma (8.0.2)
            nio4r (~> 2.0)
          nio4r (2.7.5)
          racc (1.8.1)
          rack (3.2.8)
          rubocop (1.92.2)
            racc

      PLATFORMS
        arm64-darwin-22
        x86_64-linux

      RUBY VERSION
         ruby 3.2.1p30

      DEPENDENCIES
        local!
        nokogiri
        puma
        thing!

      CHECKSUMS
        puma (8.0.2) sha256=1

      BUNDLED WITH
         2.4.1
    TEXT

    def copy(text = LOCK) = App::Bundle::Lockfile.copy(text, "/srv/app")

    test "the copy requires neither a Ruby nor a Bundler" do
      refute_match(/RUBY VERSION|3\.2\.1p30|BUNDLED WITH|2\.4\.1/, copy)
    end

    test "a server's lock has no checksums, which its Bundler would want for each gem" do
      kept = LOCK.lines - ["CHECKSUMS\n", "  puma (8.0.2) sha256=1\n"]
      assert_equal kept.join.sub("\n\n\n", "\n\n"), App::Bundle::Lockfile.installed(LOCK)
    end

    test "everything else stays, in order" do
      kept = LOCK.lines - ["RUBY VERSION\n", "   ruby 3.2.1p30\n", "BUNDLED WITH\n", "   2.4.1\n"]
      moved = kept.join.gsub("remote: .\n", "remote: /srv/app\n").sub("vendor", "/srv/app/vendor")
      assert_equal moved.squeeze("\n"),
                   copy.squeeze("\n")
    end

    test "paths are in the application's folder" do
      assert_includes copy, "PATH\n  remote: /srv/app\n"
      assert_includes copy, "PATH\n  remote: /srv/app/vendor/local\n"
      assert_includes copy, "  remote: https://rubygems.org/\n"
    end

    test "Windows line ends are accepted" do
      assert_equal copy, copy(LOCK.gsub("\n", "\r\n"))
    end

    test "versions are read without their platform" do
      versions = App::Bundle::Lockfile.versions(LOCK)
      assert_equal %w[1.15.7 8.0.2 0.1], versions.values_at("nokogiri", "puma", "local")
      assert_equal 8, versions.size
    end

    def moved(from, to, roots = %w[local nokogiri puma thing])
      App::Bundle::Lockfile.moved(LOCK, LOCK.sub(from, to), roots)
    end

    test "a gem whose version differs from the lock is named" do
      assert_equal [["nokogiri", "1.15.7", "1.13.0"]],
                   moved("nokogiri (1.15.7-x86_64-linux)", "nokogiri (1.13.0-java)")
    end

    test "so is a dependency" do
      assert_equal [["racc", "1.8.1", "1.7.0"]], moved("racc (1.8.1)", "racc (1.7.0)")
    end

    test "another platform, a new gem and a removed gem are no change of version" do
      assert_empty moved("1.15.7-x86_64-linux", "1.15.7-java")
      assert_empty moved("    rack (3.2.8)\n", "    rack (3.2.8)\n    tilt (2.0)\n")
      assert_empty moved("    racc (1.8.1)\n", "")
    end

    test "versions of gems in groups that are left out may change" do
      assert_empty moved("rubocop (1.92.2)", "rubocop (1.50.0)")
      assert_equal 1, moved("rubocop (1.92.2)", "rubocop (1.50.0)", %w[rubocop]).size
    end

    test "of limits those count that the gems which are reached break" do
      limits = { "racc" => "= 1.7.0", "nokogiri" => "= 1.15.7", "rubocop" => "< 1",
                 "none" => "= 1" }
      assert_equal({ "racc" => "= 1.7.0" },
                   App::Bundle::Lockfile.beyond(LOCK, %w[nokogiri puma], limits))
    end

    test "gems that depend on each other do no harm" do
      lock = "GEM\n  specs:\n    a (1)\n      b\n    b (1)\n      a\n"
      assert_equal [%w[b 1 2]], App::Bundle::Lockfile.moved(lock, lock.sub("b (1)", "b (2)"), ["a"])
    end
  end
end
