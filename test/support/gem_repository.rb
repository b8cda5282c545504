# frozen_string_literal: true

require "fileutils"
require "rubygems/package"
require "zlib"

module Mohs
  # A source of gems in a folder, so that bundles can be installed without a network: the old
  # Marshal index, which every RubyGems and Bundler reads from a file:// URL.
  class GemRepository
    #: (String) -> void
    def initialize(folder)
      @folder = folder
      @specs = []
      FileUtils.mkdir_p([File.join(folder, "gems"), File.join(folder, "quick", "Marshal.4.8")])
    end

    #: () -> String
    def url = "file://#{@folder}"

    # Builds a gem of `files` ({ path => content }); the block may change its specification.
    #: (String, String, ?files: Hash[String, String]) ?{ (Gem::Specification) -> void } -> void
    def add(name, version, files: {})
      spec = Gem::Specification.new(name, version) do |gem|
        gem.summary = name
        gem.authors = ["mohs"]
        gem.files = files.keys
        yield gem if block_given?
      end
      build(spec, files)
      @specs << spec
      index
    end

    private

    def build(spec, files)
      Dir.mktmpdir do |folder|
        files.each do |path, content|
          FileUtils.mkdir_p(File.dirname(File.join(folder, path)))
          File.write(File.join(folder, path), content)
        end
        built = File.join(@folder, "gems", spec.file_name)
        silent { Dir.chdir(folder) { Gem::Package.build(spec, true, false, built) } }
      end
    end

    def silent(&block) = Gem::DefaultUserInteraction.use_ui(Gem::SilentUI.new, &block)

    def index
      tuples = @specs.map { |spec| [spec.name, spec.version, spec.original_platform] }
      indexes = { "specs" => tuples, "latest_specs" => tuples, "prerelease_specs" => [] }
      indexes.each do |name, content|
        Zlib::GzipWriter.open(File.join(@folder, "#{name}.4.8.gz")) do |file|
          file.write(Marshal.dump(content))
        end
      end
      spec = @specs.last
      path = File.join(@folder, "quick", "Marshal.4.8", "#{spec.full_name}.gemspec.rz")
      File.binwrite(path, Zlib::Deflate.deflate(Marshal.dump(spec)))
    end
  end
end
