# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/synthetic_records"

module Mohs
  class StoreObservationsTest < TestCase
    include StoreHelper

    def setup
      @folder = Dir.mktmpdir("mohs-store")
      @path = File.join(@folder, "mohs.db")
      @store = open_store(@path)
      @trial = @store.start_trial(claimed(@store).last, "a")
    end

    def teardown
      close_stores
      FileUtils.rm_rf(@folder)
    end

    test "parts are cut between frames, below the limit, each readable by itself" do
      noise = Random.new(1).bytes(32 * 400_000) # 7 frames of some 2 MB
      add(noise)
      parts = rows

      assert_equal (1..parts.size).to_a, parts.map { |row| row[:part] }
      assert_operator parts.size, :>, 1
      assert_operator parts.map { |row| row[:data].bytesize }.max, :<=, Store::Observations::PART_BYTES
      parts.each { |row| assert_equal row[:count], Core::Codec.decode(row[:data]).bytesize / 32 }
      assert_equal noise, parts.map { |row| Core::Codec.decode(row[:data]) }.join
    end

    test "small frames share a part" do
      frames = Array.new(50) { Core::Codec.encode(SyntheticRecords.new.take(3)) }
      @store.add_observations(@trial, frames.join, 150)

      assert_equal([[1, 150]], rows.map { |row| row.values_at(:part, :count) })
    end

    test "later observations stand behind earlier ones" do
      2.times { add(SyntheticRecords.new.take(5)) }

      assert_equal([[1, 5], [2, 5]], rows.map { |row| row.values_at(:part, :count) })
    end

    test "those that are deleted while they are read are missed, not taken for none" do
      2.times { add(SyntheticRecords.new.take(5)) }
      read = 0
      error = assert_raises(StoreError) do
        @store.each_observations(@trial) do
          read += 1
          Sequel.sqlite(@path) { |database| database[:observations].delete }
        end
      end

      assert_equal [1, 0], [read, rows.size]
      assert_match(/deleted while/, error.message)
    end

    private

    def add(packed)
      @store.add_observations(@trial, Core::Codec.encode(packed), packed.bytesize / 32)
    end

    def rows
      Sequel.connect(adapter: "sqlite", database: @path) do |database|
        database[:observations].order(:part).all
      end
    end
  end
end
