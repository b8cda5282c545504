# frozen_string_literal: true

require "fileutils"

module Mohs
  # Where mohs keeps things, by the XDG Base Directory Specification: in the folders named by its
  # variables, else in the default folders below HOME. Nothing is created if HOME does not exist. A
  # folder is refused, wherever it is asked for, if it is a link or belongs to another user, or
  # contains such a thing; so is a folder below one that others may change: at any time they could
  # put a link in its place.
  module Folders
    # A variable of the specification, its default below HOME, and what mohs keeps there.
    Place = Struct.new(:variable, :default, :content)

    # The cache can be rebuilt; data, and the record of what has to be undone, can't.
    CACHE = Place.new("XDG_CACHE_HOME", ".cache", "gems and facts about Rubies").freeze
    DATA = Place.new("XDG_DATA_HOME", ".local/share", "runs").freeze
    STATE = Place.new("XDG_STATE_HOME", ".local/state", "what mohs doctor --fix has changed").freeze

    VARIABLES = "XDG_CACHE_HOME, XDG_DATA_HOME and XDG_STATE_HOME"

    # As much as a file system writes at once: this fails on a full disk, where an empty file does
    # not.
    TRIED_BYTES = 4096

    # Opens only a file that does not exist yet, and no link that somebody has left: in another
    # user's folder root would write where the link points.
    NEW = File::WRONLY | File::CREAT | File::EXCL | File::NOFOLLOW

    module_function

    # Identities of Rubies, bundles, gems. Raises EnvironmentError without a home, and if others can
    # change the folder.
    #: (?Hash[String, String]) -> String
    def cache(env = ENV.to_h) = below(env, CACHE)

    # Runs, and the secrets of unfinished runs.
    #: (?Hash[String, String]) -> String
    def data(env = ENV.to_h) = below(env, DATA)

    # The state of this machine: what `mohs doctor --fix` has changed.
    #: (?Hash[String, String]) -> String
    def state(env = ENV.to_h) = below(env, STATE)

    # Tries whether cache and data can be written, so that a problem is reported once and before any
    # work. Raises EnvironmentError.
    #: (?Hash[String, String]) -> void
    def verify(env = ENV.to_h)
      places = env["MOHS_DATABASE_URL"].to_s.empty? ? [CACHE, DATA] : [CACHE]
      places.each { |place| try(below(env, place), place) }
      nil
    end

    # The specification says that relative paths must be ignored.
    def below(env, place)
      folder = env[place.variable].to_s
      folder = File.join(home(env["HOME"]), place.default) unless folder.start_with?("/")
      File.join(folder, "mohs").tap { |own| refuse_others(own, place) }
    end

    # Checks the path to the folder first: what a link leads to is not examined.
    def refuse_others(folder, place)
      weak = PathSafety.weakness(File.dirname(folder))
      refuse(*weak, place, remedy: "Set") if weak
      refuse_other(folder, place)
      Dir.each_child(folder) { |name| refuse_other(File.join(folder, name), place) }
    rescue SystemCallError
      nil # not there yet, or not readable, which `try` reports
    end

    def refuse_other(path, place)
      stat = File.lstat(path)
      refuse(path, "of user #{stat.uid}", place) if PathSafety.foreign?(stat)
      refuse(path, "a link", place) if stat.symlink?
    rescue Errno::ENOENT
      nil # not made yet, or removed meanwhile
    end

    def refuse(path, what, place, remedy: "Remove it, or set")
      raise EnvironmentError, "#{path} is #{what}: mohs keeps #{place.content} only where nobody " \
                              "else can lead it elsewhere. #{remedy} #{place.variable} to " \
                              "another folder."
    end

    def home(path)
      return path if path.to_s.start_with?("/") && File.directory?(path)

      raise EnvironmentError, "HOME is #{wrong(path)}: mohs keeps its gems and runs below it. " \
                              "Set HOME, or #{VARIABLES} to other folders."
    end

    def wrong(path)
      return path ? "empty" : "not set" if path.to_s.empty?
      return "#{path}, not an absolute path" unless path.start_with?("/")

      "#{path}, which #{File.exist?(path) ? 'is not a folder' : 'does not exist'}"
    end

    def try(folder, place)
      FileUtils.mkdir_p(folder, mode: 0o700)
      refuse_others(folder, place) # somebody may have been quicker
      file = File.join(folder, ".tried.#{::Process.pid}")
      FileUtils.rm_f(file)
      File.open(file, NEW, 0o600) { |tried| tried.write("\0" * TRIED_BYTES) }
    rescue SystemCallError => error
      raise EnvironmentError, "can't write to #{folder} (#{Error.system(error)}): mohs keeps " \
                              "#{place.content} there. Free some space or fix the permissions, " \
                              "or set #{place.variable} to another folder."
    ensure
      FileUtils.rm_f(file) if file
    end
    private_class_method :below, :refuse_others, :refuse_other, :refuse, :home, :wrong, :try
  end
end
