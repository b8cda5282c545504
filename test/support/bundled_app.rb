# frozen_string_literal: true

require "fileutils"

module Mohs
  # An application whose bundle is installed for real, from gems in a folder, by the test's `ruby`.
  module BundledApp
    # Kept between runs: what is fetched from the network, and what Rubies say about themselves.
    SHARED = File.join(Mohs.root, "tmp", "test-cache")

    # Where the identities of Rubies are kept.
    ENVIRONMENT = ENV.to_h.merge("XDG_CACHE_HOME" => SHARED).freeze

    def with_app(files)
      with_files("app/config.ru" => "run 1") do |root|
        share(root)
        gems = GemRepository.new("#{root}/repository")
        server(gems)
        gems.add("tiny", "1.0", files: { "lib/tiny.rb" => "TINY = '1.0'\n" })
        gems.add("tiny", "2.0", files: { "lib/tiny.rb" => "TINY = '2.0'\n" }) do |gem|
          gem.required_ruby_version = ">= 99"
        end
        yield files.each { |path, text| write("#{root}/app/#{path}",
                                              text.gsub("SOURCE", gems.url)) }, root, gems
      end
    end

    def share(root, ruby = self.ruby)
      rubygems = App::Bundle::OwnRubygems.new(ruby:, folder: SHARED)
      assert_nil rubygems.install
      FileUtils.mkdir_p("#{root}/cache")
      Dir.glob("#{SHARED}/rubygems-*") do |folder|
        FileUtils.ln_sf(folder, "#{root}/cache/")
      end
    end

    def server(gems)
      printed = "[TINY, *ARGV, Gem.loaded_specs.keys.sort].join(' ')"
      files = { "exe/served" => "require 'tiny'; puts #{printed}\n" }
      gems.add("served", "1.5", files:) do |gem|
        gem.bindir = "exe"
        gem.executables = ["served"]
      end
    end

    def write(path, text)
      FileUtils.mkdir_p(File.dirname(path))
      File.write(path, text)
    end

    def bundle(root, dir: "#{root}/app", env: {}, ruby: self.ruby, **options)
      gemfile = Dir.glob("#{dir}/{Gemfile,gems.rb}").first
      lock = Dir.glob("#{dir}/{Gemfile.lock,gems.locked}").first
      app = App.new(name: "app", dir:, gemfile:, lock:)
      env = ENV.to_h.merge("HOME" => root, **env)
      App::Bundle.new(app:, ruby:, server_gems: { "served" => ">= 1" },
                      cache_dir: "#{root}/cache", env:, **options)
    end

    # What the server's executable prints, started as a server is.
    def serve(bundle, root, ruby = self.ruby)
      command = ruby.command(env: bundle.env, requires: ["bundler/setup"],
                             script: bundle.executable("served"),
                             args: ["-p", "1"], chdir: "#{root}/app")
      result = Process::Capture.call(command, timeout_s: 60)
      result.stdout.empty? ? result.stderr : result.stdout.strip
    end
  end
end
