# frozen_string_literal: true

require "fileutils"

module Mohs
  module Calibration
    # Writes docs/calibration.md from all published sessions, and the pictures of docs/method.md
    # from the session of apps/primes.
    class Publication
      PICTURED = "primes.json"

      # from: the folder of the published sessions; to: the folder of the documentation.
      #: (String, ?to: String) -> void
      def initialize(from, to: File.join(Mohs.root, "docs"))
        @from = from
        @to = to
      end

      #: () -> void
      def call
        ledgers = Dir[File.join(@from, "*.json")].sort.to_h { |path| [path, Ledger.load(path)] }
        File.write(File.join(@to, "calibration.md"), Page.new(ledgers.values).to_s)
        pictures(ledgers[File.join(@from, PICTURED)])
      end

      private

      def pictures(ledger)
        folder = File.join(@to, "images")
        FileUtils.mkdir_p(folder)
        Pictures.new(ledger).call.each { |name, svg| File.write(File.join(folder, name), svg) }
      end
    end
  end
end
