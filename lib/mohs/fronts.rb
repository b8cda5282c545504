# frozen_string_literal: true

module Mohs
  # What stands in front of a server: a reverse proxy that receives the load and forwards it to the
  # server. Each member turns settings into a command line, as servers do. Nothing here starts a
  # front.
  module Fronts
    extend Family
    family "front", folder: File.join(__dir__, "fronts"), list: "mohs servers"

    # `bind`: the address that the load is sent to, host and port; `upstream`: the address the
    # server listens on; both are a Servers::Bind. `connections`: connections of the load; `cores`:
    # cores of the trial; `folder`: a scratch folder of the front alone, for generated files.
    Settings = Struct.new(:bind, :upstream, :connections, :cores, :folder, keyword_init: true)

    # How to start a front, as data: run `executable` in the settings' folder after writing `files`
    # ({ absolute path => content }). The executable is a Ruby script if `gem` is given, else the
    # absolute path of a program.
    Launch = Struct.new(:gem, :executable, :args, :env, :files, keyword_init: true) do
      #: (executable: String, args: Array[String], ?gem: String?, ?env: Hash[String, String?], ?files: Hash[String, String]) -> void
      def initialize(**fields)
        super(env: {}, files: {}, **fields)
        freeze
      end
    end
  end
end
