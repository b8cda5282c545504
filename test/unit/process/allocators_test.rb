# frozen_string_literal: true

require "test_helper"

module Mohs
  class ProcessAllocatorsTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-process"

    def preload(value, **options) = Process::Allocators.preload(value, **options)

    test "an allocator is found by its name, whatever stands beside it" do
      with_files("b/libjemalloc.so.2" => "", "b/libtcmalloc_minimal.so.4" => "") do |root|
        folders = ["#{root}/a", "#{root}/b"]

        assert_equal "#{root}/b/libjemalloc.so.2", preload("jemalloc", folders:)
        assert_equal "/x/y.so:#{root}/b/libtcmalloc_minimal.so.4:libm.so.6",
                     preload("/x/y.so tcmalloc:libm.so.6", folders:)
      end
    end

    test "one that is not there is an error with Debian's package" do
      error = assert_raises(EnvironmentError) { preload("jemalloc", folders: ["/nowhere"]) }

      assert_match(%r{\ALD_PRELOAD=jemalloc: .*libjemalloc\.so\.2 in /nowhere\. }, error.message)
      assert_includes error.message, "apt-get install libjemalloc2"
      assert_equal "glibc:musl", preload("glibc musl", folders: [])
    end

    test "what is preloaded is verified before anything is planned" do
      with_files("lib/x.so" => "", "jemalloc/libjemalloc.so.2" => "") do |root|
        verify = lambda do |value, dir = root|
          Process::Allocators.verify(value, dir:, folders: ["#{root}/jemalloc"])
        end
        ["", "jemalloc", "#{root}/lib/x.so", "lib/x.so", "libm.so.6", "/usr/$LIB/x.so",
         "jemalloc:#{root}/lib/x.so libm.so.6"].each { |value| verify.(value) }
        verify.("lib/other.so", nil)
        { "jemaloc" => 'LD_PRELOAD=jemaloc: no allocator "jemaloc". Did you mean jemalloc?',
          "x" => 'LD_PRELOAD=x: no allocator "x". Known: jemalloc, tcmalloc, mimalloc, or a path.',
          "jemalloc:mimaloc" => "Did you mean mimalloc?" }.each do |value, expected|
          assert_includes assert_raises(UsageError) { verify.(value) }.message, expected
        end
        assert_raises(EnvironmentError) { verify.("tcmalloc") }
        missing = assert_raises(EnvironmentError) { verify.("/nowhere/x.so") }.message
        assert_said(missing)
        assert_raises(EnvironmentError) { verify.("lib/other.so") }
      end
    end

    test "a process has the allocator that it has mapped, else that of its libc" do
      maps = { "/usr/lib/libjemalloc.so.2" => "jemalloc", "/x/libtcmalloc.so.4.5.10" => "tcmalloc",
               "/lib/ld-musl-x86_64.so.1" => "musl", "/lib/libc.so.6" => "glibc" }

      assert_equal maps.values, maps.keys.map { |path| Process::Allocators.of_maps("7f r #{path}") }
    end

    test "a process with an unknown library preloaded may have any allocator" do
      cases = { ["glibc", nil] => "glibc", ["glibc", "/x/libjemalloc.so.2"] => "glibc",
                ["glibc", "/x/libj.so"] => nil, ["musl", "libm.so.6 libj.so"] => nil,
                ["jemalloc", "/x/libj.so"] => "jemalloc", [nil, "/x/libj.so"] => nil }

      assert_equal cases.values, cases.keys.map { |name, preload|
        Process::Allocators.certain(name, preload)
      }
    end

    test "each allocator reads its own variables" do
      names = %w[MALLOC_CONF MALLOC_ARENA_MAX MALLOC_TRIM_THRESHOLD_ TCMALLOC_RELEASE_RATE PATH]
      found = %w[jemalloc tcmalloc glibc musl].to_h do |allocator|
        [allocator, names - Process::Allocators.foreign(names, allocator)]
      end

      assert_equal({ "jemalloc" => %w[MALLOC_CONF PATH],
                     "tcmalloc" => %w[TCMALLOC_RELEASE_RATE PATH],
                     "glibc" => %w[MALLOC_ARENA_MAX MALLOC_TRIM_THRESHOLD_ PATH],
                     "musl" => %w[PATH] }, found)
    end
  end
end
