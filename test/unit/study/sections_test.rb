# frozen_string_literal: true

require "test_helper"

class StudySectionsTest < Mohs::TestCase
  Sections = Mohs::Study::Sections

  test "a section's title is its first line" do
    Sections::ALL.each do |name|
      assert_equal Sections.text(name).lines.first, "# #{Sections.title(name)}\n", name
    end
  end

  test "an unknown section is answered with the nearest one, or with all" do
    near, far = %w[matrx zzz].map do |name|
      assert_raises(Mohs::UsageError) { Sections.text(name) }.message
    end

    assert_match(/Did you mean matrix\?/, near)
    assert_match(/Known: #{Sections::ALL.join(', ')}\./, far)
  end
end
