# frozen_string_literal: true

require "digest"
require "find"
require "fileutils"
require "rubygems/package"
require "set"
require "stringio"
require "zlib"

module Mohs
  class App
    # An application's folder as one file, for hosts that do not have it: a gzipped tar archive,
    # identified by its SHA-256. What a host can create again is left out (gems, logs, git), and so
    # are secrets, since the file is kept in the store: a host has its own.
    #
    # `files`: how many files it contains; `secrets` and `links`: paths that were left out. Such
    # links have targets that are not in the archive.
    class Pack < Struct.new(:sha256, :data, :files, :secrets, :links, keyword_init: true)
      include Value

      # Folders to leave out, wherever they are, and paths to leave out below the application's
      # folder.
      LEFT = %w[.git .hg .svn node_modules].freeze
      LEFT_BELOW = %w[log tmp coverage vendor/bundle].freeze
      # Files that were uploaded, as Active Storage's disk service names their folders. A folder
      # "storage" may also contain code, or the databases of Rails.
      UPLOADS = %r{\Astorage/[a-zA-Z0-9]{2}/[a-zA-Z0-9]{2}(/|\z)}

      # Keys, variables and credentials, anywhere and in upper or lower case; but not their
      # templates. Databases of a user's development are none of what production mode serves, and
      # may contain anything.
      SECRETS = %w[.env .env.* .env~ .envrc *.key *.pem *.pfx *.p12 *.jks *.keystore *.ppk id_rsa*
                   id_dsa* id_ed25519* id_ecdsa* .netrc .npmrc .pypirc .pgpass .my.cnf .htpasswd
                   .git-credentials .vault-token credentials service-account*.json *.tfstate
                   *.tfstate.* development*.sqlite3* test.sqlite3*].freeze
      SECRET_PATHS = %w[**/.bundle/config **/.kamal/secrets* **/.aws/* **/.ssh/* **/.kube/config
                        **/.docker/config.json **/.config/gcloud/* **/config/secrets.yml
                        **/config/application.yml].freeze
      TEMPLATES = %w[.env.example .env.sample .env.template].freeze
      MATCHING = File::FNM_PATHNAME | File::FNM_DOTMATCH | File::FNM_CASEFOLD

      # Largest archive: it passes through the database as one value.
      MOST_BYTES = 64 * 1024 * 1024
      # Largest total size to unpack from the store, so that a mistake does not fill a host's disk.
      MOST_UNPACKED = 32 * MOST_BYTES
      CHUNK_BYTES = 1 << 20
      # Longest target of a link that fits a tar header.
      LONGEST_LINK = 100
      # LONG: the name of the next entry, if it does not fit that entry's header (GNU tar's
      # extension).
      FILE, LINK, FOLDER, LONG = "0", "2", "5", "L"
      LONG_NAME = "././@LongLink"
      LONGEST_NAME = 4096 # PATH_MAX

      class << self
        # Raises UsageError if the folder is too large, SystemCallError if it can't be read.
        #: (String) -> App::Pack
        def of(dir)
          # As bytes: file names need not be valid text.
          dir = File.realpath(dir).b
          found = by_kind(dir)
          held = found.values_at(:folder, :file, :link).flat_map(&:to_a)
          data = archive(dir, held)
          secrets, links = %i[secret foreign].map do |kind|
            found.fetch(kind, []).map { |path| Printable.call(path) }
          end
          new(sha256: Digest::SHA256.hexdigest(data), data:, files: found.fetch(:file, []).size,
              secrets:, links:)
        end

        # Unpacks into an empty folder. Raises StoreError if the data does not match its checksum or
        # can't be unpacked safely.
        #: (String, sha256: String, into: String) -> void
        def unpack(data, sha256:, into:)
          broken("its checksum differs") unless Digest::SHA256.hexdigest(data) == sha256

          FileUtils.mkdir_p(into)
          into = File.realpath(into).b
          left, links, long = MOST_UNPACKED, {}, nil
          each_entry(data) do |entry|
            broken("it unpacks to too much") if (left -= entry.header.size).negative?
            next long = long_name(entry) if entry.header.typeflag == LONG

            write(entry, long || entry.full_name.b, into, links)
            long = nil
          end
          link(links, into)
          Revision::WRITTEN.each { |path| FileUtils.mkdir_p(File.join(into, path)) }
        end

        private

        def paths(dir)
          found = []
          Find.find(dir) do |path|
            below = path.delete_prefix("#{dir}/")
            Find.prune if left?(below)
            found << below unless path == dir
          end
          found.sort
        end

        # Is it left out, with everything below it?
        def left?(path)
          return true if path.split("/").intersect?(LEFT) || path.match?(UPLOADS)

          LEFT_BELOW.any? { |one| path == one || path.start_with?("#{one}/") }
        end

        # Every link that is packed leads to something that is packed, as #link asks of them.
        def by_kind(dir)
          found = paths(dir).group_by { |path| kind(dir, path) }
          links = found.fetch(:link, [])
          kept = closed(links.to_h { |path| [path, File.readlink(File.join(dir, path)).b] },
                        found.values_at(:folder, :file).flat_map(&:to_a)).keys
          { **found, link: kept, foreign: [*found[:foreign], *(links - kept)].sort }
        end

        # Those of the links (targets by path) that lead through nothing but each other and `paths`.
        # Without one, another may lead nowhere.
        def closed(links, paths)
          loop do
            known = with_parents(paths + links.keys)
            kept = links.select { |path, _| within?(path, links, known) }
            return kept if kept.size == links.size

            links = kept
          end
        end

        def with_parents(paths)
          paths.each_with_object(Set[""]) do |path, known|
            path = File.dirname(path) while path != "." && known.add?(path)
          end
        end

        # Is every step of the way that `path` leads known? It has an end, since #led? found one.
        def within?(path, links, known)
          at, way = [], path.split("/")
          while (name = way.shift)
            here = step(at, name)
            return false unless here && known.include?(here.join("/"))

            target = links[here.join("/")]
            target ? way.unshift(*target.split("/")) : at = here
          end
          true
        end

        # nil: it leads out of the folder.
        def step(at, name)
          return at if ["", "."].include?(name)
          return [*at, name] unless name == ".."

          at[0...-1] if at.any?
        end

        # Only empty folders need an entry of their own. Returns nil for other folders, sockets and
        # pipes.
        def kind(dir, path)
          at = File.join(dir, path)
          return led?(dir, at) ? :link : :foreign if File.symlink?(at)
          return (:folder if Dir.empty?(at)) if File.directory?(at)
          return :secret if secret?(path)

          :file if File.file?(at)
        end

        def secret?(path)
          name = File.basename(path)
          return false if TEMPLATES.include?(name)

          SECRETS.any? { |one| File.fnmatch?(one, name, MATCHING) } ||
            SECRET_PATHS.any? { |one| File.fnmatch?(one, path, MATCHING) }
        end

        # Does a link lead to something in the folder?
        def led?(dir, at)
          target = File.readlink(at)
          return false if target.start_with?("/") || target.bytesize > LONGEST_LINK

          File.realpath(at).b.start_with?("#{dir}/")
        rescue SystemCallError
          false # it leads nowhere
        end

        # The same folder always gives the same file.
        def archive(dir, paths)
          out = StringIO.new("".b)
          gzip = Zlib::GzipWriter.new(out)
          gzip.mtime = 1
          paths.each { |path| add(gzip, dir, path) { too_large(dir) if out.size > MOST_BYTES } }
          gzip.write("\0" * 1024)
          gzip.finish
          out.string.tap { |data| too_large(dir) if data.bytesize > MOST_BYTES }
        end

        def add(gzip, dir, path, &check)
          at = File.join(dir, path)
          stat = File.lstat(at)
          return head(gzip, path, LINK, linkname: File.readlink(at).b) if stat.symlink?
          return head(gzip, path, FOLDER, mode: 0o755) if stat.directory?

          head(gzip, path, FILE, mode: stat.mode & 0o755, size: stat.size)
          copy(at, gzip, stat.size, &check)
        end

        # With a fixed time: an older RubyGems would otherwise make a different file of the same
        # folder.
        def head(gzip, path, typeflag, mode: 0o777, size: 0, linkname: "")
          name, prefix = split(gzip, path.b)
          gzip.write(Gem::Package::TarHeader.new(name:, prefix:, mode:, size:, typeflag:, linkname:,
                                                 mtime: 1).to_s)
        end

        # A header has room for a name of 100 bytes and a prefix of 155, split at a slash.
        def split(gzip, name)
          Gem::Package::TarWriter.new(gzip).split_name(name)
        rescue Gem::Package::TooLongFileName
          head(gzip, LONG_NAME, LONG, size: name.bytesize)
          gzip.write(name, "\0" * (-name.bytesize % 512))
          [name.byteslice(0, LONGEST_LINK), ""]
        end

        # Copies exactly `size` bytes, even if the file changes meanwhile, padded to blocks of 512.
        def copy(at, gzip, size)
          File.open(at, "rb") do |io|
            left = size
            while left.positive?
              chunk = io.read([CHUNK_BYTES, left].min) || ("\0" * [CHUNK_BYTES, left].min)
              gzip.write(chunk)
              left -= chunk.bytesize
              yield
            end
          end
          gzip.write("\0" * (-size % 512))
        end

        def too_large(dir)
          raise UsageError, "#{Printable.call(dir)} is larger than #{MOST_BYTES >> 20} MiB " \
                            "packed: measure a commit of it (@HEAD), with the repository at " \
                            "the same path on each host, or remove what servers don't need. " \
                            "--in-place sends nothing."
        end

        def each_entry(data, &)
          Zlib::GzipReader.wrap(StringIO.new(data)) do |gzip|
            Gem::Package::TarReader.new(gzip) { |tar| tar.each(&) }
          end
        rescue Zlib::Error, Gem::Package::Error, ArgumentError => error
          broken("it can't be read (#{error.class})")
        end

        def long_name(entry)
          broken("a name is too long") if entry.header.size > LONGEST_NAME
          entry.read.to_s.delete_suffix("\0")
        end

        # links: the target of each by its path. They are made last (#link), so that no file is
        # written through one.
        def write(entry, name, into, links)
          path = path_of(name, into)
          return links[path] = entry.header.linkname.b if entry.header.typeflag == LINK
          return FileUtils.mkdir_p(path) if entry.header.typeflag == FOLDER

          FileUtils.mkdir_p(File.dirname(path))
          File.open(path, "wb", entry.header.mode & 0o755) { |io| IO.copy_stream(entry, io) }
        end

        # "./": a name may begin with "~".
        def path_of(name, into)
          path = File.expand_path("./#{name}", into)
          return path if path.start_with?("#{into}/") && !name.start_with?("/")

          broken("it leads out of its folder")
        end

        # All folders are made before any link, so that none is made through a link.
        def link(links, into)
          links.each_key { |path| FileUtils.mkdir_p(File.dirname(path)) }
          links.each { |path, target| File.symlink(target, path) }
          broken("a link leads out of its folder") unless
            links.each_key.all? { |path| held?(path, into) }
        rescue Errno::EEXIST, Errno::ENOTDIR
          broken("a link has the name of something else")
        end

        # Links that each stay in the folder may together lead out of it.
        def held?(link, into)
          File.realpath(link).b.start_with?("#{into}/")
        rescue SystemCallError
          false
        end

        def broken(what) = raise(StoreError, "a packed application can't be unpacked: #{what}.")
      end

      # What a study records about it.
      #: () -> { sha256: String, files: Integer, secrets: Array[String], links: Array[String] }
      def to_study = { sha256:, files:, secrets:, links: }
    end
  end
end
