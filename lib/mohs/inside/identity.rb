# frozen_string_literal: true

# Run once by every Ruby found, whatever its age and engine: prints its identity, one "key TAB
# value" a line.
require "rbconfig"

facts = {
  "description" => RUBY_DESCRIPTION,
  "engine" => RUBY_ENGINE,
  "version" => RUBY_ENGINE_VERSION,
  "language" => RUBY_VERSION,
  "executable" => RbConfig.ruby,
  "configure" => RbConfig::CONFIG["configure_args"].to_s,
  "gem_abi" => Gem.extension_api_version.to_s,
  "gem_platform" => Gem::Platform.local.to_s,
  "rubygems" => Gem::VERSION,
}
facts.each { |key, value| puts "mohs:#{key}\t#{value.tr("\t\n", '  ').strip}" }
