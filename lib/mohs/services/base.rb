# frozen_string_literal: true

require "etc"

module Mohs
  module Services
    # The contract of a service. A member defines on its class:
    #
    #     TITLE     its name in texts
    #     PACKAGE   Debian's package with its programs
    #     PROGRAMS  names of the programs that it needs
    #     FOLDERS   where to look for them besides PATH, as patterns; the last match first
    #     VARIABLE  the environment variable in which applications look for its address
    #     SCHEMES   URL schemes of such an address; the first one unless the application has another
    #     PORT      its default port
    #     SOCKETS   folders where clients look for its unix socket (.socket); [] if they use PORT
    #     DATABASES true if it has databases that an application migrates and fills: then
    #               config/database.yml asks for it
    #     GEMS      the gems that are its clients
    #     SOUGHT    without databases: what a file of a configuration contains by which a client is
    #               told to use it
    #     ACCOUNT   the user that it runs as if mohs is root; nil: root
    #     SETTINGS  { name => value } of every instance, so that all behave alike
    #     READY     what its log contains once it accepts connections; nil: it does not say so, and
    #               its address (#listening) is tried
    #     STOP_SIGNAL  the signal after which its files are complete
    #     FOR_TESTS not offered to users
    #
    # and on an instance, which stands for one at a Place, commands (Process::Command) and data:
    #
    #     #files             what to write before each start: { path => text }
    #     #initialise        commands that create its files in an empty folder
    #     #start             the command of its first process, which stays in the foreground
    #     #listening         where it accepts connections (Addrinfo), if it has no READY
    #     #create(names)     commands that create empty databases
    #     #settle            commands to run once these are filled
    #     #release           commands to run right after a start: from then on, nothing outlives
    #                        its processes, even if they are killed
    #     #inquiries         commands that print its version and settings
    #     #attested(outputs) the outputs of these, as { version:, settings: }
    #     #env(names)        the variables that direct an application to databases of these names;
    #                        the first name is that of the only or main database
    class Base
      extend Family::Member

      FOLDERS = [].freeze
      SOCKETS = [].freeze
      DATABASES = false
      GEMS = [].freeze
      SOUGHT = nil
      ACCOUNT = nil
      FOR_TESTS = false

      # An account without password or home, which every Debian has.
      NOBODY = "nobody"

      class << self
        # { name => path } of its programs, all from one folder, or from it and the sbin beside it
        # (a server's; not on everybody's PATH); nil if no folder has them all.
        #: (?path: String) -> Hash[String, String]?
        def programs(path: ENV.fetch("PATH", ""))
          folders = path.split(":") + self::FOLDERS.flat_map { |pattern| Dir[pattern].sort.reverse }
          all = folders.lazy.map do |folder|
            places = [folder, File.expand_path("../sbin", folder)]
            self::PROGRAMS.to_h { |name| [name, executable(name, places)] }
          end
          all.find { |found| found.each_value.all? }
        end

        # Why no instance can be started here; nil if one can.
        #: (?path: String) -> Reason?
        def refusal(path: ENV.fetch("PATH", ""))
          return if programs(path:)

          Reason.new(summary: "#{self::TITLE} is not installed",
                     remedy: "apt-get install --no-install-recommends #{self::PACKAGE}",
                     code: "service_missing", values: { service: label })
        end

        # The user that it runs as if mohs is root; nil: the current user.
        #: (?uid: Integer) -> Etc::Passwd?
        def account(uid: ::Process.euid)
          return unless uid.zero? && self::ACCOUNT

          [self::ACCOUNT, NOBODY].filter_map { |name| user(name) }.first
        end

        # Is a client of it among the gems with these names?
        #: (Array[String]) -> bool
        def client?(gems) = gems.intersect?(self::GEMS)

        # Where such a file says that it is, [host, port]; nil for what it does not say.
        #: (String) -> [String?, String?]
        def place_in(_text) = [nil, nil]

        # Is it the address of such a service?
        #: (String) -> bool
        def url?(text) = self::SCHEMES.include?(text[/\A([a-z\d]+):/, 1])

        private

        def executable(name, folders)
          folders.map { |folder| File.join(folder, name) }.find { |file| File.executable?(file) }
        end

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

      # A command that runs as the account, in the instance's folder, with its temporary files
      # there: the account may not be able to write to mohs' own TMPDIR.
      #: (Array[String], ?env: Hash[String, String?]) -> Process::Command
      def command(argv, env: {})
        Process::Command.new(argv: [*as_account, *argv], called: File.basename(argv.first),
                             chdir: place.folder,
                             env: { "HOME" => place.folder, "TMPDIR" => place.folder,
                                    "LC_ALL" => "C.UTF-8", **env })
      end

      private

      # setpriv is part of util-linux, which every Debian has. Changing the user clears the setting
      # that ends a process with its parent, so it is set again.
      def as_account
        account = place.account or return []
        ["setpriv", "--reuid=#{account.uid}", "--regid=#{account.gid}", "--clear-groups",
         "--pdeathsig=KILL", "--"]
      end

      # That of the application's own configuration, which chooses its driver by it.
      def scheme = place.scheme || self.class::SCHEMES.first

      # { variable => address } for databases of these names. Rails looks for the address of its
      # database "cache" in CACHE_DATABASE_URL.
      def of_databases(names)
        names.to_h do |name|
          other = name.delete_prefix(names.first).delete_prefix("_")
          [[*(other.upcase unless other.empty?), self.class::VARIABLE].join("_"), yield(name)]
        end
      end

      def program(name) = @programs.fetch(name)

      def path(name) = File.join(place.folder, name)
    end
  end
end
