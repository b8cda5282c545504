# frozen_string_literal: true

desc "Build pkg/mohs-VERSION.gem"
task package: :manifest do
  version = File.read("lib/mohs/version.rb")[/"([\d.]+)"/, 1]
  mkdir_p "pkg"
  sh "gem", "build", "mohs.gemspec", "--output", "pkg/mohs-#{version}.gem"
end

desc "Check that the gem contains every file under version control that it should, and no other"
task :manifest do
  packed = Gem::Specification.load("mohs.gemspec").files
  tracked = `git ls-files -z lib exe ext apps studies docs CHANGELOG.md LICENSE README.md`
  tracked = tracked.split("\0")
  missing = tracked.reject { |path| File.basename(path).start_with?(".") } - packed
  stray = packed - tracked
  abort "not in the gem: #{missing.join(', ')}" if missing.any?
  abort "in the gem, but not under version control: #{stray.join(', ')}" if stray.any?
end
