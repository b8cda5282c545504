# frozen_string_literal: true

require "test_helper"

module Mohs
  module Probes
    class ExtensionTest < TestCase
      include RubyFacts

      # Compiles nothing: writes where it is told, and ends as it is told.
      class Compiler
        Result = Struct.new(:success?)
        attr_reader :argv, :env

        def initialize(success) = (@success, @argv, @env = success, [], [])

        def call(command, timeout_s:)
          raise ArgumentError unless timeout_s.positive?

          @argv << command.argv
          @env << command.env
          File.write(command.argv.last, "compiled")
          Result.new(@success)
        end
      end

      test "it is compiled by the Ruby that it is for, once" do
        with_files do |cache_dir|
          compiler = Compiler.new(true)
          paths = Array.new(2) { extension(cache_dir, compiler).path }

          assert_equal [paths.first] * 2, paths
          assert_equal "compiled", File.read(paths.first)
          ruby, script, source, = compiler.argv.first
          assert_equal [1, "/rubies/3.4.5/bin/ruby", Extension::SCRIPT],
                       [compiler.argv.size, ruby, script]
          assert_equal "gvl_wait.c", File.basename(source)
          assert_equal "gvl_wait.so", File.basename(paths.first)
          assert_equal 1, files(cache_dir).size
        end
      end

      test "the compiler writes beside it, where nobody else can change what it reads again" do
        with_files do |cache_dir|
          compiler = Compiler.new(true)
          path = extension(cache_dir, compiler).path

          assert_equal File.dirname(path), compiler.env.first["TMPDIR"]
        end
      end

      test "in a folder that others may change it is neither used nor trusted" do
        with_files do |cache_dir|
          path = extension(cache_dir, Compiler.new(true)).path
          File.chmod(0o777, File.dirname(path))

          assert_nil extension(cache_dir, Compiler.new(true)).path
        end
      end

      test "where the cache has no room for it there is none" do
        with_files("mohs/inside" => "a file") do |cache_dir|
          assert_nil extension(cache_dir, Compiler.new(true)).path
        end
      end

      test "each build of a Ruby has its own" do
        with_files do |cache_dir|
          paths = %w[a b].map { |digest| extension(cache_dir, Compiler.new(true), digest:).path }

          assert_equal 2, paths.uniq.size
        end
      end

      test "where it can't be compiled there is none, and nothing is left" do
        with_files do |cache_dir|
          compiler = Compiler.new(false)
          2.times { assert_nil extension(cache_dir, compiler).path }

          assert_equal 2, compiler.argv.size
          assert_empty files(cache_dir)
        end
      end

      test "a compiler that failed is not started again" do
        with_files do |cache_dir|
          compiler = Compiler.new(false)
          one = extension(cache_dir, compiler)
          2.times { assert_nil one.path }

          assert_equal 1, compiler.argv.size
        end
      end

      test "a Ruby without use for one starts no compiler, nor looks for the cache" do
        compiler = Compiler.new(true)
        found = [ruby("3.1.2"), ruby("jruby-10", engine: "jruby")].map do |one|
          Extension.new(ruby: one, env: {}, capture: compiler).path
        end
        assert_equal [[nil, nil], []], [found, compiler.argv]
      end

      private

      def extension(cache_dir, capture, digest: "a")
        env = { "XDG_CACHE_HOME" => cache_dir }
        Extension.new(ruby: ruby("3.4.5", digest:), env:, capture:)
      end

      def files(folder) = Dir.glob("#{folder}/**/*").select { |path| File.file?(path) }
    end
  end
end
