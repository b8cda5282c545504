# frozen_string_literal: true

module Mohs
  module Drivers
    module Peer
      # How a tool is started, as data: `commands` [argv], one after the other in an empty folder,
      # the first of which makes the load; `files` { name => content } to be there before; `reads`
      # names of files that it writes there. What the last command prints is what is parsed.
      Launch = Struct.new(:commands, :env, :files, :reads, keyword_init: true) do
        #: (commands: Array[Array[String]], ?env: Hash[String, String], ?files: Hash[String, String], ?reads: Array[String]) -> void
        def initialize(commands:, env: {}, files: {}, reads: [])
          super(commands: commands.map { |argv| argv.map(&:to_s) }, env:, files:, reads:)
          freeze
        end
      end
    end
  end
end
