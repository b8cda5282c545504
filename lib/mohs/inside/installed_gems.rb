# frozen_string_literal: true

require "fileutils"
require "find"
require "pathname"

# Gems that somebody has installed for the Ruby that runs this: in the application's own bundle, or
# in the Ruby's folders. Run by inside/bundle.rb, by any Ruby from 2.0 on.
#
# An extension is used only if this very Ruby compiled it: another build with the same ABI has other
# compiler flags, and those are part of what is measured. A gem is used only if nobody except us and
# root can change it: otherwise root would run what any user wrote.
class MohsInstalledGems
  # An installed gem: its folder of gems, its name there ("sassc-2.4.0"), and the folder of its
  # compiled extension (nil if it has none).
  Found = Struct.new(:home, :name, :extension)

  # "current directory: /..." and the command below it, which contains the Ruby that ran extconf.rb.
  BUILT_BY = /^current directory: .*\n(\S+)/

  # The first lines of an installed specification: name, version, platform, load paths; then its
  # extensions, if any.
  STUB = /^# stub: (?<name>\S+) \S+ \S+ [^\n]*\n(?<compiled># stub: \S)?/
  STUB_BYTES = 4096

  # The parts of a gem. Gems in Debian's packages have their files elsewhere, and are patched.
  PARTS = ["specifications/%s.gemspec", "gems/%s"].freeze
  PACKAGED = "/rubygems-integration/".freeze

  # TruffleRuby warns about each folder of gems without this file.
  MARKER = "truffleruby_gem_dir_marker.txt".freeze

  # Below a folder of copies: an empty file for each copy of a gem that nobody had changed. A copy
  # that lacks it (its original was changed) is for its checkout alone.
  INTACT = "intact/%s".freeze

  WRITTEN_BY_GROUP = 0o020
  WRITTEN_BY_ALL = 0o002

  # homes: folders with gems/ and specifications/, the preferred one first; others: those among them
  # whose gems were installed for another checkout; except: names of gems whose extensions have to
  # be compiled in an unusual way.
  #: (Array[String], ?ruby: String, ?abi: String, ?others: Array[String], ?except: Array[String]) -> void
  def initialize(homes, ruby: Gem.ruby, abi: Gem.extension_api_version.to_s, others: [],
                 except: [])
    @others = others
    @ruby = File.realpath(ruby)
    @abi = abi
    @except = except
    @homes = homes.select { |home| !home.include?(PACKAGED) && reached?(home) }
  end

  # The first of `names`, which all stand for the same gem ("nokogiri-1.15.7-x86_64-linux",
  # "nokogiri-1.15.7"), in the first folder that has it. nil if none has it.
  #: (Array[String]) -> Found?
  def find(names)
    @homes.product(names).each do |home, name|
      found = look(home, name)
      return found if found && (!@others.include?(home) || intact?(found))
    end
    nil
  end

  # Copies a gem into the folder `target`. It is not a link, so that the copy survives if the
  # original is updated or removed (docs/adr/0010). The specification comes last: without it, the
  # gem does not exist. Only the original shows whether somebody has changed it, since all files of
  # the copy are new. extensions: the folder's name for compiled extensions, which differs between
  # versions of RubyGems.
  #: (Found, String, String) -> void
  def copy(found, target, extensions)
    mark = File.join(target, format(INTACT, found.name))
    FileUtils.rm_f(mark)
    FileUtils.mkdir_p(File.dirname(mark))
    FileUtils.touch(File.join(target, MARKER)) if File.file?(File.join(found.home, MARKER))
    place(File.join(found.home, "gems", found.name), File.join(target, "gems"))
    place(found.extension, File.join(target, "extensions", extensions)) if found.extension
    place(File.join(found.home, "specifications", "#{found.name}.gemspec"),
          File.join(target, "specifications"))
    FileUtils.touch(mark) unless changed?(found)
  end

  private

  # Copies a file or folder completely, or not at all.
  def place(source, folder)
    target = File.join(folder, File.basename(source))
    unfinished = "#{target}.unfinished"
    FileUtils.rm_rf([target, unfinished])
    FileUtils.mkdir_p(folder)
    FileUtils.copy_entry(source, unfinished, true)
    File.rename(unfinished, target)
  end

  # Nobody else can put another folder in its place. Its parent folders may be sticky, like /tmp.
  def reached?(home)
    Pathname.new(home).realpath.enum_for(:ascend).all? do |folder|
      stat = folder.stat
      ours?(stat) || (trusted?(stat) && stat.sticky?)
    end
  rescue SystemCallError
    false # it does not exist
  end

  def look(home, name)
    text = File.binread(File.join(home, "specifications", "#{name}.gemspec"), STUB_BYTES)
    stub = text.match(STUB)
    return unless stub && PARTS.all? { |part| kept?(File.join(home, format(part, name)), home) }
    return Found.new(home, name) unless stub[:compiled]
    return if @except.include?(stub[:name])

    extension = extension(home, name)
    Found.new(home, name, extension) if extension
  rescue SystemCallError
    nil # it does not exist, or we may not read it
  end

  # For copies of other checkouts: were both the original and the copy left alone?
  def intact?(found)
    File.file?(File.join(found.home, format(INTACT, found.name))) && !changed?(found)
  end

  # Has somebody changed, added or removed one of its files? RubyGems writes a gem's specification
  # last, and so do we. Nobody can set the time of a change of status (ctime), but a copy that keeps
  # the times of the files gives every file a new one.
  def changed?(found)
    home, name, extension = found.to_a
    installed = File.lstat(File.join(home, "specifications", "#{name}.gemspec"))
    Find.find(File.join(home, "gems", name), *extension).any? do |path|
      stat = File.lstat(path)
      stat.ctime > installed.ctime || (stat.file? && stat.mtime > installed.mtime)
    end
  end

  # RubyGems before 3.3.22 has another name for the same platform.
  def extension(home, name)
    Dir.glob(File.join(home, "extensions", "*", @abi, name)).find do |folder|
      File.file?(File.join(folder, "gem.build_complete")) && built?(folder) && kept?(folder, home)
    end
  end

  def built?(folder)
    by = File.binread(File.join(folder, "gem_make.out"))[BUILT_BY, 1]
    File.realpath(by.to_s) == @ruby
  rescue SystemCallError
    false # unknown: installed in another way, or by a Ruby that is gone
  end

  # Can only we and root change it, everything in it, and the folders between it and `home`?
  def kept?(path, home)
    way = Pathname.new(path).relative_path_from(Pathname.new(home)).dirname
    folders = way.enum_for(:ascend) # before 2.3 it needs a block
    folders.all? { |folder| own_folder?(File.join(home, folder.to_s)) } && all_ours?(path, path)
  end

  def own_folder?(path)
    stat = File.lstat(path)
    stat.directory? && ours?(stat)
  end

  def all_ours?(path, top)
    stat = File.lstat(path)
    return inside?(path, top) if stat.symlink?
    return false unless ours?(stat) && (stat.file? || stat.directory?)

    stat.file? || (Dir.entries(path) - %w[. ..]).all? do |name| # Dir.children came with 2.5
      all_ours?(File.join(path, name), top)
    end
  end

  # Only links within the gem are accepted: others may lead to files that other users write.
  def inside?(link, top)
    !File.readlink(link).start_with?("/") &&
      File.realpath(link).start_with?("#{File.realpath(top)}/")
  end

  def ours?(stat)
    trusted?(stat) && (stat.mode & WRITTEN_BY_ALL).zero? &&
      ((stat.mode & WRITTEN_BY_GROUP).zero? || [0, Process.egid].include?(stat.gid))
  end

  def trusted?(stat)
    stat.uid.zero? || stat.owned?
  end
end
