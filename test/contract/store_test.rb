# frozen_string_literal: true

require "test_helper"
Dir[File.join(__dir__, "store", "*_contract.rb")].each { |file| require file }

module Mohs
  # The same suite on each database. setup leaves @url at an empty one.
  module StoreContract
    def self.included(base)
      base.include(StoreHelper)
      [Runs, Listings, Cohorts, Trials, Observations, Points, Archives, Space,
       Fleet, Packs, Concurrency].each do |part|
        part.define(base)
      end
    end

    def teardown
      close_stores
      super
    end
  end

  class SqliteStoreTest < TestCase
    include StoreContract

    def setup
      @folder = Dir.mktmpdir("mohs-store")
      @url = File.join(@folder, "mohs.db")
    end

    def teardown
      super
      FileUtils.rm_rf(@folder)
    end

    private

    def raw(&block) = Sequel.connect(adapter: "sqlite", database: @url, &block)
  end

  class PostgresStoreTest < TestCase
    include StoreContract

    def setup
      skip PostgresCluster.missing if PostgresCluster.missing
      @url = PostgresCluster.shared.empty_database
    end

    private

    def raw(&block) = Sequel.connect(@url, &block)
  end
end
