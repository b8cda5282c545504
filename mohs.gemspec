# frozen_string_literal: true

require_relative "lib/mohs/version"

Gem::Specification.new do |spec|
  spec.name = "mohs"
  spec.version = Mohs::VERSION
  spec.authors = ["The mohs authors"]
  spec.summary = "A experiment that measures how fast Ruby serves"
  spec.description = "Boots your own Rack or Rails application under every Ruby, JIT flag and " \
                     "server at hand, loads it, and says which is faster, by how much, how sure " \
                     "it is, and what it costs."
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"

  spec.files = Dir.chdir(__dir__) do
    Dir["{lib,exe,ext,apps,studies,docs}/**/*", "CHANGELOG.md", "LICENSE", "README.md"]
      .select { |path| File.file?(path) && !path.match?(/\.(so|o)\z|Makefile\z|mkmf\.log\z/) }
  end
  spec.bindir = "exe"
  spec.executables = ["mohs"]
  spec.extensions = ["ext/mohs/extconf.rb"]

  spec.add_dependency "puma", ">= 6.4", "< 9"
  spec.add_dependency "roda", "~> 3.90"
  spec.add_dependency "sequel", "~> 5.80"
  spec.add_dependency "sqlite3", ">= 1.7", "< 3"
  spec.add_dependency "zeitwerk", "~> 2.6"

  spec.metadata["rubygems_mfa_required"] = "true"
end
