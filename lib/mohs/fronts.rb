# frozen_string_literal: true

module Mohs
  # What stands in front of a server: a reverse proxy that takes the load and passes it on to the
  # server. Each member turns settings into a command line, as servers do. Nothing here starts one.
  module Fronts
    extend Family
    family "front", folder: File.join(__dir__, "fronts"), list: "mohs servers"

    # `bind`: where the load goes, a host and port; `upstream`: where the server listens, both as
    # Servers::Bind. `connections` of the load; `cores` that the trial has; `folder`: a scratch
    # folder of the front alone, for generated files.
    Settings = Struct.new(:bind, :upstream, :connections, :cores, :folder, keyword_init: true)

    # How to start it, as data: `executable`, run in the settings' folder after `files` ({ absolute
    # path => content }) were written; of `gem` it is a Ruby script, else (nil) the absolute path of
    # a program.
    Launch = Struct.new(:gem, :executable, :args, :env, :files, keyword_init: true) do
      #: (executable: String, args: Array[String], ?gem: String?, ?env: Hash[String, String?], ?files: Hash[String, String]) -> void
      def initialize(**fields)
        super(env: {}, files: {}, **fields)
        freeze
      end
    end
  end
end
