# frozen_string_literal: true

# Run once by every Ruby found, whatever its age and engine: prints its identity, one "key TAB
# value" a line.
require "rbconfig"

# The file of OpenSSL that this Ruby loads; "static" if it is a part of Ruby's own extension; "" if
# there is none, or none that gems in C share a process with.
def libcrypto
  return "" unless RUBY_ENGINE == "ruby"

  require "openssl"
  File.read("/proc/self/maps")[%r{/.*/libcrypto[^/\n]*$}] || "static"
rescue LoadError, StandardError
  "" # this Ruby was built without it, or what it was built with is gone
end

facts = {
  "description" => RUBY_DESCRIPTION,
  "engine" => RUBY_ENGINE,
  "version" => RUBY_ENGINE_VERSION,
  "language" => RUBY_VERSION,
  "executable" => RbConfig.ruby,
  "configure" => RbConfig::CONFIG["configure_args"].to_s,
  "gem_abi" => Gem.extension_api_version.to_s,
  "gem_platform" => Gem::Platform.local.to_s,
  "libcrypto" => libcrypto,
  "rubygems" => Gem::VERSION,
}
facts.each { |key, value| puts "mohs:#{key}\t#{value.tr("\t\n", '  ').strip}" }
