# frozen_string_literal: true

module Mohs
  module Probes
    # What a process has open, by proc(5).
    module OpenFiles
      # How many paths to keep.
      MOST = App::FolderChanges::MOST

      # Bits of open(2)'s flags, as /proc/PID/fdinfo has them.
      WRITING = File::WRONLY | File::RDWR

      module_function

      # What each of its descriptors stands for, by number: "/tmp/a", "socket:[1234]". {} if the
      # process has ended, or is another user's.
      #: (Integer) -> Hash[String, String]
      def links(pid)
        open = Dir.children("/proc/#{pid}/fd").filter_map do |number|
          [number, File.readlink("/proc/#{pid}/fd/#{number}").force_encoding(Encoding::UTF_8)]
        rescue SystemCallError
          nil # closed meanwhile
        end
        open.to_h
      rescue SystemCallError
        {}
      end

      # Files outside an application's folder that its processes have open for writing: a SQLite
      # database in /tmp, say, which a folder's listing (App::FolderChanges) does not show, and
      # which all servers of a run share. Their paths, in order; without mohs's own files, of which
      # `ours` is another folder, and without devices, pipes and files that have been removed. app:
      # nil: its folder is unknown, as of a server that ran before, and so is what is outside of it.
      #: (Array[Integer], app: App?, ours: String) -> Array[String]
      def outside(pids, app:, ours:)
        return [] unless app

        inside = [app.dir, app.origin, ours, Folders.cache, Folders.data, Folders.state]
        below = inside.compact.flat_map { |dir| [dir, real(dir)] }.uniq
        paths = pids.flat_map { |pid| written(pid) }.uniq
        paths.reject { |path| below.any? { |dir| path == dir || path.start_with?("#{dir}/") } }
             .select { |path| File.file?(path) }.sort.first(MOST)
             .map { |path| Printable.name(path) }
      end

      def written(pid)
        links(pid).filter_map do |number, path|
          path if path.start_with?("/") && flags(pid, number).anybits?(WRITING)
        end
      end

      # 0 if it is closed by now.
      def flags(pid, number)
        File.read("/proc/#{pid}/fdinfo/#{number}")[/^flags:\s*(\d+)/, 1].to_i(8)
      rescue SystemCallError
        0
      end

      def real(dir)
        File.realpath(dir)
      rescue SystemCallError
        dir
      end

      private_class_method :written, :flags, :real
    end
  end
end
