# frozen_string_literal: true

require_relative "../test/support/fuzzing"

namespace :c do
  desc "Test the C core under the address and undefined-behaviour sanitizers"
  task :test do
    build = Mohs::CBuild.new
    failed = build.tests.reject do |name|
      outcome = build.test(name)
      puts "#{name}: #{outcome.output}"
      outcome.ok
    end
    abort "failed: #{failed.join(', ')}" if failed.any?
  end

  desc "Check the C core by all warnings of gcc and clang, the binding by most, and its format"
  task :lint do
    said = %w[gcc clang].map do |compiler|
      build = Mohs::CBuild.new(compiler:)
      build.lint + build.lint_binding
    end.join
    build = Mohs::CBuild.new
    abort "c:lint needs clang-format #{Mohs::CBuild::FORMATTER}" unless build.formats?
    said << build.unformatted
    abort said unless said.empty?
  end

  desc "Fuzz the targets, or TARGETS=fold,cable, for so many seconds (60) or RUNS executions in " \
       "all; needs clang"
  task :fuzz, [:seconds] do |_, arguments|
    targets = ENV["TARGETS"]&.split(",") || Mohs::Fuzzing.targets
    runs, seconds = [ENV.fetch("RUNS", nil), arguments[:seconds]].map do |most|
      most && Rational(Integer(most), targets.size).ceil
    end
    seconds ||= Rational(60, targets.size).ceil unless runs
    all = targets.map do |name|
      Mohs::Fuzzing.new.call(name, seconds:, runs:).tap { |fuzzed| puts fuzzed }
    end
    puts format("%-8s %11d executions", "all", all.sum(&:executions))
    abort "not clean: #{all.reject(&:clean?).map(&:name).join(', ')}" unless all.all?(&:clean?)
  end
end
