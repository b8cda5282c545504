# frozen_string_literal: true

require "test_helper"

class ScenarioFileTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  FILES = { "forum.yml" => "actions:\n  - get: /\n" }.freeze

  def read(*paths) = Mohs::Study::ScenarioFile.read(*paths)

  test "a change is noticed, and that it is gone" do
    with_files(FILES) do |folder|
      file = read(path = File.join(folder, "forum.yml"))

      assert_nil file.verify
      File.write(path, "# more\n", mode: "a")
      error = assert_raises(Mohs::UsageError) { file.verify }
      assert_said(error.message)
      File.delete(path)
      assert_raises(Mohs::UsageError) { file.verify }
    end
  end

  test "the first place that has the file counts; if none has, all are named" do
    with_files(FILES) do |folder|
      there, nowhere = %w[forum.yml none.yml].map { |name| File.join(folder, name) }

      assert_equal there, read(nowhere, there).path
      assert_match(%r{none.yml or /nowhere/forum.yml not found},
                   assert_raises(Mohs::UsageError) { read(nowhere, "/nowhere/forum.yml") }.message)
    end
  end
end
