# frozen_string_literal: true

require "test_helper"

module Mohs
  class InventoryTest < TestCase
    include RubyFacts

    # A folder with an executable a name, each answering as the Ruby of that version.
    def with_rubies(*names)
      with_files(names.to_h { |name| ["#{name}/bin/ruby", name] }) do |root|
        @asked = Queue.new
        capture = lambda do |command, timeout_s:| # rubocop:disable Lint/UnusedBlockArgument
          next answer(code: 1) unless command.argv[1] == Rubies::Probe::SCRIPT

          @asked << command.argv.first
          answer(identity(version: File.basename(File.dirname(command.argv.first, 2))))
        end
        yield root, capture
      end
    end

    def inventory(root, capture, candidates)
      paths = candidates.map { |source, name| [source, "#{root}/#{name}/bin/ruby"] }
      cache = Rubies::Cache.new(folder: "#{root}/cache", env: {})
      Rubies::Inventory.new(env: {}, capture:, candidates: paths, cache:)
    end

    test "every candidate is asked once, and they come by age" do
      with_rubies("3.10.1", "3.4.5", "2.7.4") do |root, capture|
        result = []
        candidates = [%w[path 3.10.1], %w[path 3.4.5], %w[rbenv 2.7.4]]
        found = inventory(root, capture, candidates).rubies { |ruby| result << ruby.name }
        assert_equal %w[2.7.4 3.4.5 3.10.1], found.map(&:name)
        assert_equal %w[2.7.4 3.10.1 3.4.5], result.sort
        assert_equal 3, @asked.size
      end
    end

    test "the second time nobody is asked" do
      with_rubies("3.4.5", "2.7.4") do |root, capture|
        candidates = [%w[path 3.4.5], %w[rbenv 2.7.4]]
        first = inventory(root, capture, candidates).rubies
        result = []
        second = inventory(root, capture, candidates).rubies { |ruby| result << ruby }
        assert_equal first, second
        assert_empty result
        assert_equal 2, @asked.size
      end
    end

    test "links to one executable are one Ruby, as it was found first" do
      with_rubies("3.4.5") do |root, capture|
        Dir.mkdir("#{root}/venv")
        Dir.mkdir("#{root}/venv/bin")
        File.symlink("#{root}/3.4.5/bin/ruby", "#{root}/venv/bin/ruby")
        found = inventory(root, capture, [%w[chruby 3.4.5], %w[path venv]]).rubies
        assert_equal [["3.4.5", "chruby"]], found.map { |ruby| [ruby.name, ruby.source] }
      end
    end

    test "two executables of one folder that say the same are one Ruby, broken ones are not" do
      with_files("j/bin/ruby" => "a", "j/bin/jruby" => "b", "k/bin/ruby" => "c") do |root|
        capture = lambda do |command, **|
          script = command.argv[1] == Rubies::Probe::SCRIPT
          script && command.argv.first.include?("/j/") ? answer(identity) : answer(code: 1)
        end
        paths = %w[j/bin/ruby j/bin/jruby k/bin/ruby].map { |path| ["path", "#{root}/#{path}"] }
        cache = Rubies::Cache.new(folder: "#{root}/cache", env: {})
        found = Rubies::Inventory.new(env: {}, capture:, candidates: paths, cache:).rubies
        assert_equal [paths[2].last, paths[0].last].sort, found.map(&:path).sort
      end
    end

    test "one by path is identified alone and remembered" do
      with_rubies("3.4.5") do |root, capture|
        path = "#{root}/3.4.5/bin/ruby"
        2.times { assert_equal "3.4.5", inventory(root, capture, []).identify(path).name }
        assert_equal 1, @asked.size
      end
    end

    test "one that was named by its path is not on PATH for that" do
      with_rubies("3.4.5") do |root, capture|
        path = "#{root}/3.4.5/bin/ruby"
        sources = [inventory(root, capture, []).identify(path),
                   *inventory(root, capture, [%w[rbenv 3.4.5]]).rubies,
                   *inventory(root, capture, [%w[path 3.4.5]]).rubies].map(&:source)
        assert_equal [%w[named rbenv path], 1], [sources, @asked.size]
      end
    end

    test "a fault of ours is raised, not waited for" do
      with_rubies("3.4.5") do |root, _|
        faulty = ->(*, **) { raise ArgumentError, "ours" }
        error = assert_raises(ArgumentError) { inventory(root, faulty, [%w[path 3.4.5]]).rubies }
        assert_equal "ours", error.message
      end
    end

    test "no Ruby at all is an empty list" do
      with_files { |root| assert_empty inventory(root, nil, []).rubies }
    end
  end
end
