# frozen_string_literal: true

require "test_helper"

module Mohs
  class FoldersTest < TestCase
    test "the cache is below XDG_CACHE_HOME, or below the person's home" do
      assert_equal "/c/mohs", Folders.cache({ "XDG_CACHE_HOME" => "/c", "HOME" => "/h" })
      assert_equal "/h/.cache/mohs", Folders.cache({ "HOME" => "/h" })
    end

    test "data are below XDG_DATA_HOME, or below the person's home" do
      assert_equal "/d/mohs", Folders.data({ "XDG_DATA_HOME" => "/d", "HOME" => "/h" })
      assert_equal "/h/.local/share/mohs", Folders.data({ "HOME" => "/h" })
    end

    test "a relative or empty variable is ignored, as the specification asks" do
      assert_equal "/h/.cache/mohs", Folders.cache({ "XDG_CACHE_HOME" => "c", "HOME" => "/h" })
      assert_equal "/h/.cache/mohs", Folders.cache({ "XDG_CACHE_HOME" => "", "HOME" => "/h" })
    end
  end
end
