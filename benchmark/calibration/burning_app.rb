# frozen_string_literal: true

require "fileutils"

module Mohs
  module Calibration
    # The application under test with the loop of burn.rb in front: a folder of links to all files
    # of the application, with another config.ru. Both sides of every comparison are served from it,
    # so that they differ only in the loop's rounds.
    class BurningApp
      BURN = File.expand_path("burn.rb", __dir__)
      RACKUP = "config.ru"

      attr_reader :dir

      # into: a folder to make it in.
      #: (String, into: String) -> void
      def initialize(original, into:)
        @original = original
        @dir = File.join(into, File.basename(original))
      end

      #: () -> Calibration::BurningApp
      def build
        FileUtils.mkdir_p(@dir)
        (Dir.children(@original) - [RACKUP]).each do |name|
          link = File.join(@dir, name)
          FileUtils.ln_s(File.join(@original, name), link) unless File.exist?(link)
        end
        File.write(File.join(@dir, RACKUP), rackup)
        self
      end

      private

      def rackup
        source = File.join(@original, RACKUP)
        <<~RUBY
          # frozen_string_literal: true

          require #{BURN.dump}
          use MohsBurn
          instance_eval(File.read(#{source.dump}), #{File.join(@dir, RACKUP).dump})
        RUBY
      end
    end
  end
end
