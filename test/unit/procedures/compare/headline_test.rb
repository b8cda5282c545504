# frozen_string_literal: true

require "test_helper"

class CompareHeadlineTest < Mohs::TestCase
  FINDINGS = %w[errors forecast steal].map { |code| { code: } }.freeze

  def unstated(outcome, **options)
    Mohs::Compare::Headline.unstated({ outcome:, findings: FINDINGS }, **options)
                           .map { |finding| finding[:code] }
  end

  test "a sentence leaves over what is neither its forecast nor why there is no verdict" do
    assert_equal %w[errors steal], unstated("undecided")
    assert_equal %w[steal], unstated("invalid")
    assert_equal %w[forecast steal], unstated("invalid", forecast: false)
  end
end
