# frozen_string_literal: true

# Run in the application's folder by the Ruby that a bundle is for: `bundle.rb lock FILE` or
# `bundle.rb install FILE`. Does that, then writes to FILE, as JSON, what mohs must know without
# starting that Ruby again. One process for both: a JVM takes seconds to start.
require "bundler"
require "bundler/cli"
require "bundler/friendly_errors"
require "bundler/installer"
require "json"

$stdout.sync = true
action, file = ARGV

# Stops at the first gem that can't be installed: Bundler would first compile its whole queue, for
# minutes perhaps. The messages are the same.
module EndAtTheFirst
  def install_from_spec
    super.tap do |done, message|
      next if done

      warn message
      exit!(1)
    end
  end
end
Bundler::GemInstaller.prepend(EndAtTheFirst)

Bundler.with_friendly_errors { Bundler::CLI.start([action], debug: true) }
Bundler.reset!
definition = Bundler.definition

# The gems that the Gemfile names in groups which are installed.
def roots(definition)
  left_out = Bundler.settings[:without].map(&:to_sym)
  definition.dependencies.reject { |dependency| (dependency.groups - left_out).empty? }.map(&:name)
end

def gems(specs)
  specs.map do |spec|
    executables = spec.executables.map { |name| [name, spec.bin_file(name)] }
    [spec.name, { "version" => spec.version.to_s, "executables" => executables.to_h }]
  end.to_h
end

# The sources of the Gemfile: other Gemfiles, and gemspecs of gems in folders.
def inputs(definition, specs)
  local = specs.select do |spec|
    spec.source.is_a?(Bundler::Source::Path) && !spec.source.is_a?(Bundler::Source::Git)
  end
  paths = definition.gemfiles.map(&:to_s) + local.map { |spec| spec.loaded_from.to_s }
  paths.uniq.select { |path| File.file?(path) }
end

# The specifications that a source offers of the gems that it locks, each [locked, offered]. Gems
# that are installed already work.
def offers(source, locked)
  specifications = File.join(Bundler.bundle_path, "specifications")
  missing = locked.reject do |gem|
    !Dir[File.join(specifications, "#{gem.name}-#{gem.version}{,-*}.gemspec")].empty?
  end
  return [] if missing.empty?

  source.remote!
  source.add_dependency_names(missing.map(&:name))
  missing.map { |gem| [gem, source.specs.search([gem.name, gem.version])] }
end

# Locked gems that this Ruby can't have, as [name, version, what it requires]. Bundler's own `lock`
# leaves them in, and `install` would choose other versions and compile for minutes first.
def unfit
  locked = Bundler::LockfileParser.new(Bundler.read_file(Bundler.default_lockfile)).specs
  remote = locked.group_by(&:source).select { |source, _| source.is_a?(Bundler::Source::Rubygems) }
  remote.flat_map { |source, gems| offers(source, gems) }.map { |gem, offered|
    needs = offered.select { |spec| spec.match_platform(Bundler.local_platform) }
                   .map { |spec| spec.required_ruby_version || Gem::Requirement.default }
    next if needs.empty? || needs.any? { |need| need.satisfied_by?(Gem.ruby_version) }

    [gem.name, gem.version.to_s, needs.first.to_s]
  }.compact
rescue StandardError => error
  warn "mohs: not known which Rubies the locked gems need: #{error.message}"
  [] # without a network, say; the installation finds it too
end

report = { "roots" => roots(definition) }
report["unfit"] = unfit if action == "lock"
if action == "install"
  specs = definition.specs.to_a
  report.update("gems" => gems(specs), "inputs" => inputs(definition, specs))
end
File.write(file, JSON.generate(report))
