# frozen_string_literal: true

require "etc"

module Mohs
  # The files that the kernel passes on its way to a path (path_resolution(7)), those behind links
  # included: the owner of any of them decides where the path leads.
  module PathSafety
    # As many as the kernel follows.
    MOST_LINKS = 40

    module_function

    # Yields path and File::Stat of each folder, link and file on the way, from the root folder on,
    # as far as they exist. Returns the path without links. Raises SystemCallError if they can't be
    # read.
    #: (String) { (String, File::Stat) -> void } -> String
    def call(path)
      links = 0
      at = "/"
      yield at, File.lstat(at)
      rest = names(File.absolute_path?(path) ? path : File.join(Dir.pwd, path))
      while (name = rest.shift)
        here = name == ".." ? File.dirname(at) : File.join(at, name)
        return File.join(here, *rest) unless (stat = there(here))

        yield here, stat
        next at = here unless stat.symlink?
        raise Errno::ELOOP, path if (links += 1) > MOST_LINKS

        target = File.readlink(here)
        at = "/" if File.absolute_path?(target)
        rest = names(target) + rest
      end
      at
    end

    # The path without links. Raises Errno::EACCES if one of the links belongs to another user, who
    # could have left it in a folder such as /tmp to have a file of ours replaced.
    #: (String) -> String
    def resolve(path)
      call(path) do |at, stat|
        next unless stat.symlink? && foreign?(stat)

        raise Errno::EACCES, "#{at} is a link of user #{stat.uid}"
      end
    end

    # The first place on the way at which another user could redirect the path, now or later, and
    # why: a link or folder of theirs, or a folder that they may change. Links of our own user are
    # fine. In a sticky folder nobody can move what belongs to another user. nil if there is no such
    # place.
    #: (String) -> [String, String]?
    def weakness(path)
      call(path) do |at, stat|
        why = changeable(stat)
        return [at, why] if why
      end
      nil
    end

    # Whether a user other than ours and root owns the file. The root folder's owner counts as root,
    # since root has no number of its own in a user namespace that maps none to it.
    #: (File::Stat) -> bool
    def foreign?(stat) = !stat.owned? && ![0, File.stat("/").uid].include?(stat.uid)

    def changeable(stat)
      return "#{'a link ' if stat.symlink?}of user #{stat.uid}" if foreign?(stat)
      return if !stat.directory? || stat.sticky?
      return "writable for everybody" if stat.world_writable?

      "writable for group #{stat.gid}" if stat.mode.anybits?(0o020) && shared?(stat.gid)
    end

    # Most systems give each user a group of the same name, and a umask with which the user's
    # folders are writable for that group: as long as nobody else is in the group, it is equivalent
    # to the user. So is root's group.
    def shared?(gid)
      group = Etc.getgrgid(gid)
      ours = ["root", user].compact
      !ours.include?(group.name) || (group.mem - ours).any?
    rescue ArgumentError
      gid != ::Process.euid # without a name, as in a container
    end

    def user
      Etc.getpwuid(::Process.euid).name
    rescue ArgumentError
      nil # a container need not know its user
    end

    def names(path) = path.split("/").reject { |name| ["", "."].include?(name) }

    def there(path)
      File.lstat(path)
    rescue Errno::ENOENT, Errno::ENOTDIR
      nil
    end
    private_class_method :changeable, :shared?, :user, :names, :there
  end
end
