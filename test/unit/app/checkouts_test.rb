# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class CheckoutsTest < TestCase
      DAY = 24 * 3600

      test "a folder is made once per key, and only its owner can read it" do
        with_files do |dir|
          made = []
          places = %w[a a b].map { |key| made(dir, key) { made << key } }

          assert_equal %w[a b], made
          assert_equal ["#{dir}/revisions/a"] * 2, places.first(2)
          assert_equal 0o700, File.stat("#{dir}/revisions").mode & 0o777
        end
      end

      test "a folder whose making failed or was killed is made again" do
        with_files("revisions/killed/half" => "", "revisions/other/half" => "") do |dir|
          assert_raises(EnvironmentError) do
            made(dir, "a") { raise EnvironmentError, "the disk is full" }
          end
          refute_path_exists "#{dir}/revisions/a"
          made(dir, "killed") { |place| refute_path_exists "#{place}/half" }

          assert_equal %w[killed], kept(dir)
        end
      end

      test "folders unused for two weeks are deleted when another is made" do
        with_files do |dir|
          { "old" => 15, "new" => 13 }.each { |key, days| age(made(dir, key), days) }
          made(dir, "fresh")

          assert_equal %w[fresh new], kept(dir)
        end
      end

      test "a folder that is fetched counts as used" do
        with_files do |dir|
          age(made(dir, "old"), 15)
          made(dir, "old") { flunk "it is there" }
          made(dir, "fresh")

          assert_equal %w[fresh old], kept(dir)
        end
      end

      test "beyond the limit the least recently used are deleted, except those of the last day" do
        with_files do |dir|
          ages = { "a" => 0.5, "b" => 2, "c" => 3, "d" => 0.9 }
          ages.each { |key, days| age(made(dir, key), days) }
          made(dir, "fresh", limit_bytes: 3000)

          assert_equal %w[a b d fresh], kept(dir)
          age("#{dir}/revisions/a", 0.95)
          made(dir, "more", limit_bytes: 1000)
          assert_equal %w[a d fresh more], kept(dir)
        end
      end

      test "two that want the same folder at once get one, made once" do
        with_files do |dir|
          made = Queue.new
          threads = Array.new(4) { Thread.new { made(dir, "a") { made << 1 and sleep 0.02 } } }
          threads.each(&:join)

          assert_equal 1, made.size
        end
      end

      private

      # Each holds 1000 bytes.
      def made(dir, key, limit_bytes: 1_000_000)
        Checkouts.new(dir, limit_bytes:).fetch(key) do |place|
          yield place if block_given?
          File.write("#{place}/file", "." * 1000)
        end
      end

      def age(place, days)
        time = Time.now - (days * DAY)
        File.utime(time, time, "#{place}/made")
      end

      def kept(dir) = Dir.children("#{dir}/revisions").grep_v(/\A\./).sort
    end
  end
end
