# frozen_string_literal: true

require "fileutils"
require "tmpdir"

module Mohs
  class App
    class Bundle
      # A RubyGems with its Bundler for Rubies whose own are too old. RUBYLIB puts it before theirs,
      # both to install a bundle and to serve it. Ruby 2.7's Bundler reads the whole old index and
      # had not finished after 200 s. No RubyGems before 3.3.22 can install gems precompiled for one
      # libc ("nokogiri-1.18.1-x86_64-linux-gnu"), which today's locks name: Debian's Ruby 3.1 would
      # compile them for minutes, or fail. Ruby has had a Bundler of its own since 2.6; one that was
      # installed as a gem is not found with the bundle's GEM_HOME. Other engines modify their
      # RubyGems, so theirs stays. Fetched once, by the Ruby that runs mohs.
      class OwnRubygems
        # The last releases for old Rubies, the newest first: [the first Ruby that it runs on, its
        # version]. They contain Bundler 2.4.22, 2.3.27 and 1.16.6.
        RELEASES = [["2.6", "3.4.22"], ["2.3", "3.3.27"], ["2.0", "2.7.11"]].freeze

        # 3.4 brought a resolver that explains why gems don't fit together.
        GOOD_ENOUGH = Gem::Version.new("3.4")
        NAME = "rubygems-update"
        FETCH_S = 120

        #: (ruby: Rubies::Ruby, folder: String, ?capture: _Call) -> void
        def initialize(ruby:, folder:, capture: Process::Capture)
          @ruby = ruby
          @folder = folder
          @capture = capture
        end

        # The version that this Ruby gets; nil if it keeps its own.
        #: () -> String?
        def version
          return unless Rubies::Engines.named(@ruby.engine)::RUBYGEMS &&
                        Gem::Version.new(@ruby.rubygems) < GOOD_ENOUGH

          language = Gem::Version.new(@ruby.language)
          RELEASES.find { |oldest, _| language >= Gem::Version.new(oldest) }&.last
        end

        #: () -> bool
        def needed? = !version.nil?

        #: () -> bool
        def ready? = !needed? || File.directory?(home)

        #: () -> Hash[String, String]
        def env = needed? ? { "RUBYLIB" => "#{home}/lib:#{home}/bundler/lib" } : {}

        # Returns nil, or the output of the failed command.
        #: () -> String?
        def install
          return nil if ready?

          Dir.mktmpdir("rubygems", FileUtils.mkdir_p(@folder).first) do |folder|
            result = @capture.call(fetch(folder), timeout_s: FETCH_S)
            result.success? ? keep(folder) : result.stdout + result.stderr
          end
        end

        private

        def home = File.join(@folder, "rubygems-#{version}")

        # `gem install` requests only this gem; `gem fetch` reads the whole old index first (29 s
        # instead of 1 s). The installed gem is only a folder of files until someone runs its
        # setup.rb.
        def fetch(folder)
          words = ["-S", "gem", "install", NAME, "-v", version, "-i", folder, "--no-document",
                   "--ignore-dependencies"]
          Process::Command.new(argv: [Gem.ruby, *words], chdir: folder)
        end

        # If another mohs was faster, it has put the same files there.
        def keep(folder)
          File.rename(File.join(folder, "gems", "#{NAME}-#{version}"), home)
          nil
        rescue Errno::ENOTEMPTY, Errno::EEXIST
          nil
        end
      end
    end
  end
end
