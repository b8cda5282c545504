# frozen_string_literal: true

require "etc"

module Mohs
  module Services
    # The contract of a service. A member says, on its class:
    #
    #     TITLE     its name in texts
    #     PACKAGE   Debian's package that has its programs
    #     PROGRAMS  names of the programs that it takes
    #     FOLDERS   where they are looked for beside PATH, as patterns; the last match first
    #     VARIABLE  the environment variable in which applications look for its address
    #     SCHEMES   of such an address
    #     PORT      its usual one
    #     SOCKETS   folders that usually have its unix socket, as clients look for it; [] if they
    #               look for it on PORT
    #     DATABASES has databases that an application migrates and fills
    #     ACCOUNT   the user that it runs as where mohs is root; nil: root will do
    #     SETTINGS  { name => value } that every instance has, so that it behaves alike each time
    #     READY     what its log has once it takes connections
    #     STOP_SIGNAL  the one after which its files are complete
    #     FOR_TESTS not offered to people
    #
    # and on an instance, which stands for one at a Place, commands (Process::Command) and data:
    #
    #     #files             what is written before each start: { path => text }
    #     #initialise        commands that make its files, in an empty folder
    #     #start             the command of its first process, which stays in the foreground
    #     #create(names)     commands that make empty databases
    #     #settle            commands once these are filled
    #     #release           commands right after a start: from then on nothing outlives its
    #                        processes, even if these are killed
    #     #inquiries         commands that ask it for its version and settings
    #     #attested(outputs) what these printed, as { version:, settings: }
    #     #env(names)        the variables that lead an application to databases of these names; the
    #                        first is the one that it has if it has only one
    class Base
      extend Family::Member

      FOLDERS = [].freeze
      SOCKETS = [].freeze
      DATABASES = false
      ACCOUNT = nil
      FOR_TESTS = false

      # Has no password and no home, and every Debian has it.
      NOBODY = "nobody"

      class << self
        # { name => path } of its programs, from one folder; nil if no folder has all.
        #: (?path: String) -> Hash[String, String]?
        def programs(path: ENV.fetch("PATH", ""))
          folders = path.split(":") + self::FOLDERS.flat_map { |pattern| Dir[pattern].sort.reverse }
          all = folders.map do |folder|
            self::PROGRAMS.to_h { |name| [name, File.join(folder, name)] }
          end
          all.find { |found| found.each_value.all? { |file| File.executable?(file) } }
        end

        # Why no instance can be started here; nil if one can.
        #: (?path: String) -> Reason?
        def refusal(path: ENV.fetch("PATH", ""))
          return if programs(path:)

          Reason.new(summary: "#{self::TITLE} is not installed",
                     remedy: "apt-get install --no-install-recommends #{self::PACKAGE}",
                     code: "service_missing", values: { service: label })
        end

        # Whom it runs as where mohs is root; nil: ourselves.
        #: (?uid: Integer) -> Etc::Passwd?
        def account(uid: ::Process.euid)
          return unless uid.zero? && self::ACCOUNT

          [self::ACCOUNT, NOBODY].filter_map { |name| user(name) }.first
        end

        # Is it the address of such a service?
        #: (String) -> bool
        def url?(text) = self::SCHEMES.include?(text[/\A([a-z\d]+):/, 1])

        private

        def user(name)
          Etc.getpwnam(name)
        rescue ArgumentError
          nil
        end
      end

      attr_reader :place

      #: (Place, ?programs: Hash[String, String]) -> void
      def initialize(place, programs: self.class.programs)
        @place = place
        @programs = programs
      end

      #: () -> Hash[String, String]
      def files = {}

      #: () -> Array[Process::Command]
      def initialise = []

      #: (Array[String]) -> Array[Process::Command]
      def create(_names) = []

      #: () -> Array[Process::Command]
      def settle = []

      #: () -> Array[Process::Command]
      def release = []

      # A command of the account, in the instance's folder.
      #: (Array[String], ?env: Hash[String, String?]) -> Process::Command
      def command(argv, env: {})
        Process::Command.new(argv: [*as_account, *argv], chdir: place.folder,
                             env: { "HOME" => place.folder, "LC_ALL" => "C.UTF-8", **env })
      end

      private

      # setpriv is util-linux's, which every Debian has. To become another user forgets that it has
      # to end with its parent, so that is said again.
      def as_account
        account = place.account or return []
        ["setpriv", "--reuid=#{account.uid}", "--regid=#{account.gid}", "--clear-groups",
         "--pdeathsig=KILL", "--"]
      end

      def program(name) = @programs.fetch(name)

      def path(name) = File.join(place.folder, name)
    end
  end
end
