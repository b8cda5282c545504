# frozen_string_literal: true

require_relative "../test/support/c_build"

namespace :c do
  desc "The C core's tests, under the address and undefined-behaviour sanitizers"
  task :test do
    build = Mohs::CBuild.new
    failed = build.tests.reject do |name|
      outcome = build.test(name)
      puts "#{name}: #{outcome.output}"
      outcome.ok
    end
    abort "failed: #{failed.join(', ')}" if failed.any?
  end

  desc "Compile the C core under every warning, by gcc and clang, and the binding under most"
  task :lint do
    said = %w[gcc clang].map do |compiler|
      build = Mohs::CBuild.new(compiler:)
      build.lint + build.lint_binding
    end.join
    abort said unless said.empty?
  end

  desc "Fuzz every target for so many seconds (60); needs clang"
  task :fuzz, [:seconds] do |_, arguments|
    build = Mohs::CBuild.new(compiler: "clang")
    build.fuzz_targets.each do |name|
      sh(*build.fuzz_command(name, (arguments[:seconds] || 60).to_i))
    end
  end
end
