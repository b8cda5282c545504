# frozen_string_literal: true

# Run in the application's folder by the Ruby that a bundle is for: `bundle.rb lock FILE` or
# `bundle.rb install FILE`. Performs that action, then writes to FILE, as JSON, what mohs needs to
# know without starting that Ruby again. One process does both, since a JVM takes seconds to start.
# Gems are copied from the folders MOHS_GEMS (of which MOHS_OTHERS are those of other checkouts) and
# the Ruby's own into MOHS_COPIES, except extensions of the gems in MOHS_COMPILED.
require "bundler"
require "bundler/cli"
require "bundler/friendly_errors"
require "bundler/installer"
require "json"
require_relative "index_digest"
require_relative "installed_gems"

$stdout.sync = true
action, file = ARGV
homes, others, except = %w[MOHS_GEMS MOHS_OTHERS MOHS_COMPILED].map do |name|
  ENV.fetch(name).split(":")
end
installed = MohsInstalledGems.new(homes + Gem.default_path, others: others, except: except)

# Stops at the first gem that can't be installed: Bundler would first compile its whole queue,
# perhaps for minutes. The messages are the same.
module EndAtTheFirst
  def install_from_spec
    super.tap do |done, message|
      next if done

      warn message
      exit!(1)
    end
  end
end
Bundler::GemInstaller.send(:prepend, EndAtTheFirst) # private in 2.0

# Ruby without OpenSSL: fetches through MOHS_RELAY (App::Bundle::Relay) what it would fetch over
# https. The lock still names the sources of the Gemfile. With settings of its own for TLS, Bundler
# would ask for OpenSSL all the same.
module ThroughRelay
  def [](name)
    super unless name.to_s.start_with?("ssl_")
  end

  def mirror_for(uri)
    found = super
    return found unless found.scheme == "https"

    port = ":#{found.port}" unless found.port == found.default_port
    relayed = "#{ENV.fetch('MOHS_RELAY')}/#{found.host}#{port}#{found.path}"
    Object.const_get(found.class.name[/.*URI/]).parse(relayed).tap do |address|
      address.userinfo = found.userinfo || credentials_for(found)
    end
  end
end
Bundler::Settings.send(:prepend, ThroughRelay) if ENV.key?("MOHS_RELAY")

# Bundlers before 2.4 insist on a digest.
if Gem::Version.new(Bundler::VERSION) < Gem::Version.new("2.4")
  require "bundler/fetcher"
  Bundler::Fetcher::CompactIndex::ClientFetcher.send(:prepend, MohsIndexDigest)
end

# The gems that the Gemfile names in groups that are installed. Private in Bundlers before 2.2.
def roots(definition)
  definition.send(:requested_dependencies).map(&:name)
end

# Whether it can be installed here. Bundler's own method for this has another name since 2.7.
def fits?(spec)
  return true if [nil, Gem::Platform::RUBY].include?(spec.platform)

  Gem::Platform.new(spec.platform) === Bundler.local_platform
end

# Locked gems that come from a gem server and are to be installed, grouped by name: some gems have
# one specification for each platform.
def wanted(definition)
  specs = Bundler::LockfileParser.new(Bundler.read_file(Bundler.default_lockfile)).specs
  specs = specs.select { |spec| fits?(spec) }.group_by(&:name)
  reached = []
  waiting = roots(definition)
  while (name = waiting.pop)
    next if reached.include?(name) || !specs.key?(name)

    reached << name
    waiting.concat(specs[name].flat_map(&:dependencies).map(&:name))
  end
  specs.values_at(*reached).select { |same| same.first.source.is_a?(Bundler::Source::Rubygems) }
end

# The wanted gems that are not installed in this bundle's own folders, with their possible names:
# [specification, ["nokogiri-1.15.7-x86_64-linux", "nokogiri-1.15.7"]].
def missing(definition)
  named = wanted(definition).map do |same|
    plain = "#{same.first.name}-#{same.first.version}"
    [same.first, same.map(&:full_name).sort.reverse.push(plain).uniq]
  end
  named.reject do |_, names|
    names.product(Gem::Specification.dirs).any? do |name, folder|
      File.file?(File.join(folder, "#{name}.gemspec"))
    end
  end
end

# Of these, the names of gems that come compiled: they have a name with a platform as well.
def precompiled(missing)
  missing.select { |_, names| names.size > 1 }.map { |spec, _| spec.name }
end

# Copies gems that this Ruby has elsewhere, so that they need not be fetched and compiled. Prints
# how many.
def copy(missing, installed)
  found = missing.map { |_, names| installed.find(names) }.compact
  return if found.empty?

  puts "Copying #{found.size} installed gems"
  extensions = File.join(Gem::Platform.local.to_s, Gem.extension_api_version.to_s)
  found.each { |gem| installed.copy(gem, ENV.fetch("MOHS_COPIES"), extensions) }
rescue SystemCallError => error
  warn "mohs: gems could not be copied: #{error.message}" # they are fetched instead
end

def gems(specs)
  rows = specs.map do |spec|
    executables = spec.executables.map { |name| [name, spec.bin_file(name)] }
    [spec.name, { "version" => spec.version.to_s, "executables" => Hash[executables] }]
  end
  Hash[rows] # Array#to_h came with 2.1
end

# The files that the Gemfile depends on: other Gemfiles, and gemspecs of gems in folders.
def inputs(definition, specs)
  local = specs.select do |spec|
    spec.source.is_a?(Bundler::Source::Path) && !spec.source.is_a?(Bundler::Source::Git)
  end
  paths = definition.gemfiles.map(&:to_s) + local.map { |spec| spec.loaded_from.to_s }
  paths.uniq.select { |path| File.file?(path) }
end

# The specifications that a source offers for its locked gems: [locked, offered] for each.
def offers(source, locked)
  source.remote!
  source.add_dependency_names(locked.map(&:name))
  locked.map do |gem|
    [gem, source.specs.search(gem.name).select { |spec| spec.version == gem.version }]
  end
end

# The locked gems to be fetched that this Ruby can't use, as [name, version, required Ruby].
# Bundler's own `lock` accepts them; `install` would choose other versions, and first compile for
# minutes.
def unfit(specs)
  specs.group_by(&:source).flat_map { |source, gems| offers(source, gems) }.map { |gem, offered|
    needs = offered.select { |spec| fits?(spec) }
                   .map { |spec| spec.required_ruby_version || Gem::Requirement.default }
    next if needs.empty? || needs.any? { |need| need.satisfied_by?(Gem.ruby_version) }

    [gem.name, gem.version.to_s, needs.first.to_s]
  }.compact
rescue StandardError => error
  warn "mohs: not known which Rubies the locked gems need: #{error.message}"
  [] # without a network, for example; the installation finds out too
end

locked = File.file?(Bundler.default_lockfile)
if action == "install"
  copy(missing(Bundler.definition), installed)
  Bundler.reset!
end
Bundler.with_friendly_errors { Bundler::CLI.start([action], debug: true) }
Bundler.reset!
definition = Bundler.definition
report = { "roots" => roots(definition) }
if action == "lock"
  missing = missing(definition)
  copied, fetched = missing.partition { |_, names| installed.find(names) }
  names = [copied, fetched].map { |some| some.map { |spec, _| spec.name } }
  unfit = locked ? unfit(fetched.map(&:first)) : []
  report.update("copy" => names[0], "fetch" => names[1], "unfit" => unfit,
                "precompiled" => precompiled(fetched))
else
  specs = definition.specs.to_a
  report.update("gems" => gems(specs), "inputs" => inputs(definition, specs))
end
File.write(file, JSON.generate(report))
