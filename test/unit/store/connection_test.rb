# frozen_string_literal: true

require "test_helper"

module Mohs
  class StoreConnectionTest < TestCase
    include StoreHelper

    FILES = %w[mohs.db mohs.db-shm mohs.db-wal].freeze

    def teardown = close_stores

    test "the folder and the files of a new store are for their owner alone" do
      [{}, { "mohs/other" => "" }].each do |files|
        with_files(files) do |home|
          open_usual(home) do
            assert_equal [0o700, *[0o600] * 3], modes("#{home}/mohs")
          end
        end
      end
    end

    test "the usual store of an earlier version is closed to others, one that was chosen is not" do
      with_files("mohs/mohs.db" => "") do |home|
        folder = "#{home}/mohs"
        open_usual(home) do
          File.chmod(0o755, folder)
          FILES.each { |name| File.chmod(0o644, "#{folder}/#{name}") }
          Store.open("#{folder}/mohs.db", env: {}).close
          assert_equal [0o755, *[0o644] * 3], modes(folder)
          Store.open(env: { "XDG_DATA_HOME" => home }).close
          assert_equal [0o700, *[0o600] * 3], modes(folder)
        end
      end
    end

    private

    # While one is open its other files are there, too.
    def open_usual(home)
      store = Store.open(env: { "XDG_DATA_HOME" => home })
      yield
    ensure
      store.close
    end

    def modes(folder)
      paths = [folder, *FILES.map { |name| File.join(folder, name) }]
      paths.map { |path| File.stat(path).mode & 0o777 }
    end
  end
end
