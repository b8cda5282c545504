# frozen_string_literal: true

require "digest"
require "find"
require "fileutils"
require "rubygems/package"
require "zlib"

module Mohs
  class App
    # An application's folder as one file, for hosts that do not have it: a gzipped tar archive,
    # known by its SHA-256. What can be made there again stays behind (gems, logs, git), and so do
    # secrets, since the file lies in the store: a host has its own.
    #
    # `files` how many it holds, `secrets` and `links` paths that it leaves out: links lead out of
    # the folder.
    class Pack < Struct.new(:sha256, :data, :files, :secrets, :links, keyword_init: true)
      include Value

      # Folders, wherever they are, and such as are below the application's alone.
      LEFT = %w[.git node_modules].freeze
      LEFT_BELOW = %w[log tmp coverage vendor/bundle].freeze

      # Keys, variables and credentials; not their templates.
      SECRETS = %w[.env .env.* **/*.key **/*.pem .netrc .bundle/config].freeze
      TEMPLATES = %w[.env.example .env.sample .env.template].freeze

      # Of the file: it passes through the database as one value.
      MOST_BYTES = 64 * 1024 * 1024
      # Of one to read from the store: a host's disk is not filled by a mistake.
      MOST_UNPACKED = 32 * MOST_BYTES

      # In which applications write, empty.
      WRITTEN = %w[log tmp/pids].freeze

      class << self
        # Raises UsageError of a folder that is too large, SystemCallError.
        #: (String) -> App::Pack
        def of(dir)
          found = paths(dir).group_by { |path| kind(dir, path) }
          data = archive(dir, found.fetch(:file, []) + found.fetch(:link, []))
          new(sha256: Digest::SHA256.hexdigest(data), data:, files: found.fetch(:file, []).size,
              secrets: found.fetch(:secret, []), links: found.fetch(:foreign, []))
        end

        # Into an empty folder. Raises StoreError of a file that is not what its name says.
        #: (String, sha256: String, into: String) -> void
        def unpack(data, sha256:, into:)
          broken("its checksum is another") unless Digest::SHA256.hexdigest(data) == sha256

          left = MOST_UNPACKED
          each_entry(data) do |entry|
            broken("it unpacks to too much") if (left -= entry.header.size).negative?
            write(entry, entry.full_name, into)
          end
          WRITTEN.each { |path| FileUtils.mkdir_p(File.join(into, path)) }
        end

        private

        def paths(dir)
          found = []
          Find.find(dir) do |path|
            below = path.delete_prefix("#{dir}/")
            Find.prune if LEFT.include?(File.basename(path)) || LEFT_BELOW.include?(below)
            found << below unless File.directory?(path) && !File.symlink?(path)
          end
          found.sort
        end

        # Sockets and pipes are none.
        def kind(dir, path)
          at = File.join(dir, path)
          return :secret if secret?(path)
          return File.file?(at) ? :file : nil unless File.symlink?(at)

          inside?(dir, path, File.readlink(at)) ? :link : :foreign
        end

        def secret?(path)
          [SECRETS, TEMPLATES].map { |patterns|
            patterns.any? { |one| File.fnmatch?(one, path, File::FNM_PATHNAME | File::FNM_DOTMATCH) }
          } == [true, false]
        end

        # Does a link that stands there lead to a place in the folder?
        def inside?(dir, path, target)
          !target.start_with?("/") &&
            File.expand_path(target, File.dirname(File.join(dir, path))).start_with?("#{dir}/")
        end

        # The same folder gives the same file.
        def archive(dir, paths)
          out = StringIO.new("".b)
          gzip = Zlib::GzipWriter.new(out)
          gzip.mtime = 1
          Gem::Package::TarWriter.new(gzip) do |tar|
            paths.each do |path|
              add(tar, File.join(dir, path), path)
              too_large(dir) if out.size > MOST_BYTES
            end
          end
          gzip.finish
          out.string.tap { |data| too_large(dir) if data.bytesize > MOST_BYTES }
        rescue Gem::Package::TooLongFileName => error
          raise UsageError, "#{dir} can't be packed for other hosts: #{error.message}"
        end

        def add(tar, at, path)
          return tar.add_symlink(path, File.readlink(at), 0o777) if File.symlink?(at)

          stat = File.stat(at)
          tar.add_file_simple(path, stat.mode & 0o755, stat.size) do |entry|
            File.open(at, "rb") { |io| IO.copy_stream(io, entry, stat.size) }
          end
        end

        def too_large(dir)
          raise UsageError, "#{dir} is larger than #{MOST_BYTES >> 20} MiB packed: measure a " \
                            "commit of it (@HEAD), with the repository at the same path on each " \
                            "host, or remove what servers don't need."
        end

        def each_entry(data, &)
          Zlib::GzipReader.wrap(StringIO.new(data)) do |gzip|
            Gem::Package::TarReader.new(gzip) { |tar| tar.each(&) }
          end
        rescue Zlib::Error, Gem::Package::Error, ArgumentError => error
          broken("it can't be read (#{error.class})")
        end

        # Links come last, so that none is on the way to a file.
        def write(entry, name, into)
          link = entry.header.linkname if entry.header.typeflag == "2"
          broken("it leads out of its folder") unless inside?(into, ".", name) &&
                                                      (link.nil? || inside?(into, name, link))
          path = File.join(into, name)
          FileUtils.mkdir_p(File.dirname(path))
          return File.symlink(link, path) if link

          File.open(path, "wb", entry.header.mode) { |io| IO.copy_stream(entry, io) }
        end

        def broken(what) = raise(StoreError, "a packed application can't be unpacked: #{what}.")
      end

      # What a study has of it.
      #: () -> { sha256: String, files: Integer, secrets: Array[String], links: Array[String] }
      def to_study = { sha256:, files:, secrets:, links: }
    end
  end
end
