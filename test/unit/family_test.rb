# frozen_string_literal: true

require "test_helper"

class FamilyTest < Mohs::TestCase
  def setup
    @folder = Dir.mktmpdir("mohs-test")
    files = %w[base.rb puma.rb web_rick.rb notes.txt]
    files.each { |file| File.write(File.join(@folder, file), "") }
    @family = Module.new { extend Mohs::Family }
    @family.family "server", folder: @folder, list: "mohs servers"
    @family.const_set(:Puma, Class.new)
    @family.const_set(:WebRick, Class.new { extend Mohs::Family::Member })
  end

  def teardown = FileUtils.rm_rf(@folder)

  test "its members are the folder's files but the base" do
    assert_equal %w[puma web_rick], @family.names
  end

  test "a member is fetched by its file's name" do
    assert_equal @family::WebRick, @family.fetch("web_rick")
    assert_equal @family::Puma, @family.fetch(:puma)
    assert_equal [@family::Puma, @family::WebRick], @family.all
  end

  test "those for people are all but the ones for tests" do
    @family::Puma.const_set(:FOR_TESTS, false)
    @family::WebRick.const_set(:FOR_TESTS, true)

    assert_equal [@family::Puma], @family.offered
    assert_equal %w[nginx thruster], Mohs::Fronts.offered.map(&:label)
    assert_equal Mohs::Servers.names - %w[mock], Mohs::Servers.offered.map(&:label)
  end

  test "a member's label is the name that fetches it, of a file of two words as well" do
    assert_equal "web_rick", @family.fetch("web_rick").label
  end

  FAMILIES = [Mohs::Servers, Mohs::Drivers, Mohs::Rubies::Engines, Mohs::Analysis::Checks,
              Mohs::App::Traffic::Formats].freeze

  FAMILIES.each do |family|
    test "the members of #{family} have the labels that fetch them" do
      refute_empty family.names
      assert_equal family.names, family.all.map(&:label)
    end
  end

  test "a misspelt name names the nearest and where the list is" do
    error = assert_raises(Mohs::UsageError) { @family.fetch("pumaa") }
    assert_equal 'unknown server "pumaa". Did you mean puma? (mohs servers)',
                 error.message
  end

  test "an unknown name is answered with those for people" do
    @family::Puma.const_set(:FOR_TESTS, true)
    messages = %w[pumaa xyz].map do |name|
      assert_raises(Mohs::UsageError) { @family.fetch(name) }.message
    end

    assert_equal ['unknown server "pumaa". Known: web_rick. (mohs servers)',
                  'unknown server "xyz". Known: web_rick. (mohs servers)'], messages
    assert_raises(Mohs::UsageError) { Mohs::Services.fetch("sqlite") }
      .then { |error| refute_includes error.message, "mock" }
  end

  test "a name near to none names them all" do
    error = assert_raises(Mohs::UsageError) { @family.fetch("xyz") }
    assert_equal 'unknown server "xyz". Known: puma, web_rick. (mohs servers)',
                 error.message
  end
end
