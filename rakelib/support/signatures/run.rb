# frozen_string_literal: true

# run.rb LIBRARIES FOLDER LIST FILE... runs test files with the signatures of lib checked. A test in
# which a call contradicts a signature fails with a message about it. LIST gets the methods that no
# test has called.
require "test_helper"
require_relative "hooks"

root = File.expand_path("../../..", __dir__)
libraries = ARGV.shift.split(",")
folders = [ARGV.shift, File.join(root, "sig")]
list = ARGV.shift
files = ARGV.take_while { |argument| argument.end_with?(".rb") }
ARGV.shift(files.size)
Mohs::LOADER.eager_load
library = Signatures::Library.new(folders, libraries:)
hooks = Signatures::Hooks.new(library, tests: File.join(root, "test/"))
hooks.install("Mohs")

Minitest::Test.prepend(Module.new do
  define_method(:after_teardown) do
    super()
    found = hooks.take
    flunk "the signature says otherwise\n#{found.join("\n")}" if found.any?
  end
end)

Object.prepend(Module.new do
  define_method(:stub) do |name, *values, **options, &block|
    hooks.release(singleton_class, name)
    super(name, *values, **options, &block)
  end
end)

Minitest.after_run do
  File.write(list, hooks.uncalled.map { |entry| "#{entry}\n" }.sort.join)
  puts "#{hooks.called.size} methods checked against their signature, of each up to " \
       "#{Signatures::Hooks::CALLS.size} calls"
  puts hooks.missing.map { |entry| "#{entry} has a signature and is not there" }
  late = hooks.take
  puts late
  exit 1 if late.any? || hooks.missing.any?
end

files.each { |file| require File.expand_path(file) }
