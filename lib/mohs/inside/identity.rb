# frozen_string_literal: true

# Run once by every Ruby found, of any version from 1.9 on and any engine, so that mohs can name
# those that it does not support: prints its identity, one "key TAB value" per line.
require "rbconfig"

# The OpenSSL library that this Ruby loads; "static" if it is linked into Ruby's own extension; ""
# if there is none, or if gems in C can't share a process with it.
def libcrypto
  return "" unless RUBY_ENGINE == "ruby"

  require "openssl"
  File.read("/proc/self/maps")[%r{/.*/libcrypto[^/\n]*$}] || "static"
rescue LoadError, StandardError
  "" # this Ruby was built without OpenSSL, or its library is gone
end

# The files besides the executable that decide what is printed here, also those that don't exist
# yet: RubyGems may be updated, the extension for OpenSSL built later, or its library installed
# (ldconfig then writes its cache anew).
def files(libcrypto)
  own, site = RbConfig::CONFIG.values_at("rubyarchdir", "sitelibdir") # JRuby has no rubyarchdir
  paths = $LOADED_FEATURES.grep(%r{/rubygems\.rb\z})
  paths << File.join(site, "rubygems.rb") if site
  if own
    extension = File.join(own, "openssl.so")
    unloadable = libcrypto.empty? && File.exist?(extension)
    paths << File.join(own, "rbconfig.rb") << extension
  end
  paths << (unloadable ? "/etc/ld.so.cache" : libcrypto)
  paths.select { |path| path.start_with?("/") }.uniq
end

libcrypto = libcrypto()
facts = {
  "description" => RUBY_DESCRIPTION,
  "engine" => RUBY_ENGINE,
  "version" => defined?(RUBY_ENGINE_VERSION) ? RUBY_ENGINE_VERSION : RUBY_VERSION, # before 2.3
  "language" => RUBY_VERSION,
  "executable" => RbConfig.ruby,
  "configure" => RbConfig::CONFIG["configure_args"].to_s,
  "gem_abi" => Gem.respond_to?(:extension_api_version) ? Gem.extension_api_version.to_s : "",
  "gem_platform" => Gem::Platform.local.to_s,
  "libcrypto" => libcrypto,
  "files" => files(libcrypto).join(":"),
  "rubygems" => Gem::VERSION,
}
facts.each { |key, value| puts "mohs:#{key}\t#{value.tr("\t\n", '  ').strip}" }
