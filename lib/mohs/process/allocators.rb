# frozen_string_literal: true

require "rbconfig"

module Mohs
  module Process
    # Memory allocators that processes may have: how each is found on this machine, seen in a
    # process, and configured.
    module Allocators
      # `library` the file to preload and Debian's `package` of it (nil: it can't be preloaded),
      # `mapped` its name in /proc/PID/maps, `variables` those that it alone reads.
      Allocator = Struct.new(:name, :library, :package, :mapped, :variables, keyword_init: true)

      # Variables: mallopt(3), jemalloc(3), gperftools' docs/tcmalloc.html, mimalloc's options.
      ALL = [
        Allocator.new(name: "jemalloc", library: "libjemalloc.so.2", package: "libjemalloc2",
                      mapped: /libjemalloc/, variables: /\AMALLOC_CONF\z/),
        Allocator.new(name: "tcmalloc", library: "libtcmalloc_minimal.so.4",
                      package: "libtcmalloc-minimal4", mapped: /libtcmalloc/,
                      variables: /\ATCMALLOC_/),
        Allocator.new(name: "mimalloc", library: "libmimalloc.so.2.0", package: "libmimalloc2.0",
                      mapped: /libmimalloc/, variables: /\AMIMALLOC_/),
        Allocator.new(name: "musl", mapped: /ld-musl/, variables: /(?!)/),
        # What a process has that has mapped no other.
        Allocator.new(name: "glibc", mapped: //, variables: /\AMALLOC_(?!CONF\z)[A-Z_]+\z/),
      ].freeze

      # Where Debian, Fedora and a person put libraries.
      FOLDERS = ["/usr/lib/#{RbConfig::CONFIG['host_cpu']}-linux-gnu", "/usr/lib64", "/usr/lib",
                 "/usr/local/lib"].freeze

      # The name of the one that a process with these maps has.
      #: (String) -> String
      def self.of_maps(maps) = ALL.find { |one| maps.match?(one.mapped) }.name

      # The same if that is certain: a process that seems to have its libc's may have one that
      # LD_PRELOAD calls by another name. Else nil.
      #: (String?, String?) -> String?
      def self.certain(name, preload)
        known = ALL.select(&:library)
        return name if known.any? { |one| one.name == name }

        name if words(preload).all? { |word| known.any? { |one| word.match?(one.mapped) } }
      end

      # Names of those that can be preloaded.
      #: () -> Array[String]
      def self.names = ALL.select(&:library).map(&:name)

      # What LD_PRELOAD names, as the linker separates it: by spaces or colons (ld.so(8)).
      #: (String?) -> Array[String]
      def self.words(preload) = preload.to_s.split(/[\s:]+/).reject(&:empty?)

      # LD_PRELOAD with the files of allocators that it calls by name ("jemalloc"). Raises
      # EnvironmentError if one is not there.
      #: (String, ?folders: Array[String]) -> String
      def self.preload(value, folders: FOLDERS)
        words(value).map { |word| named(word)&.then { |one| file(one, folders) } || word }.join(":")
      end

      # Raises UsageError if LD_PRELOAD has a word that is no path, no library's name for the linker
      # (libm.so.6) and no allocator; EnvironmentError if a file or an allocator is not there.
      # dir: of relative paths; nil: it is not known yet.
      #: (String, ?dir: String?, ?folders: Array[String]) -> void
      def self.verify(value, dir: nil, folders: FOLDERS)
        words(value).reject { |word| word.include?("$") }.each do |word| # $LIB: ld.so(8)
          word.include?("/") ? there(word, dir) : known(word)
        end
        preload(value, folders:)
      end

      # The names of variables that only other allocators than this one read.
      #: (Enumerable[String], String) -> Array[String]
      def self.foreign(names, allocator)
        own, others = ALL.partition { |one| one.name == allocator }
        names.select do |name|
          others.any? { |one| name.match?(one.variables) } &&
            own.none? { |one| name.match?(one.variables) }
        end
      end

      def self.there(path, dir)
        return if dir.nil? && !path.start_with?("/")

        raise EnvironmentError, "LD_PRELOAD=#{path}: there is no such file." \
          unless File.file?(File.expand_path(path, dir))
      end

      def self.known(word)
        return if names.include?(word) || word.include?(".so")

        hint = Suggest.hint(word, names, otherwise: "Known: #{names.join(', ')}, or a path.")
        raise UsageError, "LD_PRELOAD=#{word}: no allocator #{word.inspect}. #{hint}"
      end

      def self.named(word) = ALL.find { |one| one.library && one.name == word }

      def self.file(allocator, folders)
        path = folders.map { |folder| File.join(folder, allocator.library) }
                      .find { |candidate| File.file?(candidate) }
        path || raise(EnvironmentError, "LD_PRELOAD=#{allocator.name}: no #{allocator.library} " \
                                        "in #{folders.join(', ')}. Install it (apt-get install " \
                                        "#{allocator.package}), or give its path.")
      end
      private_class_method :there, :known, :named, :file
    end
  end
end
