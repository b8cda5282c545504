# frozen_string_literal: true

require "rbconfig"

module Mohs
  module Process
    # Memory allocators that processes may have: how each is found on this machine, recognised in a
    # process, and configured.
    module Allocators
      # `library`: the file to preload, and `package`: its Debian package (both nil: it can't be
      # preloaded); `mapped`: its name in /proc/PID/maps; `variables`: those that only this
      # allocator reads.
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
        # The allocator of a process that has mapped no other.
        Allocator.new(name: "glibc", mapped: //, variables: /\AMALLOC_(?!CONF\z)[A-Z_]+\z/),
      ].freeze

      # Where Debian, Fedora and manual installations put libraries.
      FOLDERS = ["/usr/lib/#{RbConfig::CONFIG['host_cpu']}-linux-gnu", "/usr/lib64", "/usr/lib",
                 "/usr/local/lib"].freeze

      # The name of the allocator of a process with these maps.
      #: (String) -> String
      def self.of_maps(maps) = ALL.find { |one| maps.match?(one.mapped) }.name

      # The name again if it is certain, else nil: a process that seems to use libc's allocator may
      # use another one, which LD_PRELOAD names by another file name.
      #: (String?, String?) -> String?
      def self.certain(name, preload)
        known = ALL.select(&:library)
        return name if known.any? { |one| one.name == name }

        name if words(preload).all? { |word| known.any? { |one| word.match?(one.mapped) } }
      end

      # Names of the allocators that can be preloaded.
      #: () -> Array[String]
      def self.names = ALL.select(&:library).map(&:name)

      # The words of LD_PRELOAD, separated as by the linker: at spaces or colons (ld.so(8)).
      #: (String?) -> Array[String]
      def self.words(preload) = preload.to_s.split(/[\s:]+/).reject(&:empty?)

      # LD_PRELOAD with allocator names ("jemalloc") replaced by their files. Raises
      # EnvironmentError if a file is not found.
      #: (String, ?folders: Array[String]) -> String
      def self.preload(value, folders: FOLDERS)
        words(value).map { |word| named(word)&.then { |one| file(one, folders) } || word }.join(":")
      end

      # Raises UsageError if LD_PRELOAD contains a word that is neither a path nor a library's name
      # for the linker (libm.so.6) nor an allocator; EnvironmentError if a file or an allocator is
      # not found. dir: base of relative paths; nil: not known yet.
      #: (String, ?dir: String?, ?folders: Array[String]) -> void
      def self.verify(value, dir: nil, folders: FOLDERS)
        words(value).reject { |word| word.include?("$") }.each do |word| # $LIB: ld.so(8)
          word.include?("/") ? there(word, dir) : known(word)
        end
        preload(value, folders:)
      end

      # Names of variables that are read by other allocators but not by this one.
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
