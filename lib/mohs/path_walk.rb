# frozen_string_literal: true

module Mohs
  # The files that the kernel passes on its way to a path (path_resolution(7)), those behind links
  # included: whoever owns one of them decides where the way leads.
  module PathWalk
    # As many as the kernel follows.
    MOST_LINKS = 40

    module_function

    # Yields path and File::Stat of each folder, link and file on the way, from the root folder on,
    # as far as they exist. Returns the path without links. A SystemCallError if they can't be read.
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

    # The path without links. Errno::EACCES if one of them is another user's, who could have left it
    # in a folder such as /tmp to have a file of ours replaced.
    #: (String) -> String
    def resolve(path)
      call(path) do |at, stat|
        next unless stat.symlink? && foreign?(stat)

        raise Errno::EACCES, "#{at} is a link of user #{stat.uid}"
      end
    end

    # Does a user own the file who is neither ourselves nor root? The root folder's owner counts as
    # root, who has no number of its own where a user namespace maps none to it.
    #: (File::Stat) -> bool
    def foreign?(stat) = !stat.owned? && ![0, File.stat("/").uid].include?(stat.uid)

    def names(path) = path.split("/").reject { |name| ["", "."].include?(name) }

    def there(path)
      File.lstat(path)
    rescue Errno::ENOENT, Errno::ENOTDIR
      nil
    end
    private_class_method :names, :there
  end
end
