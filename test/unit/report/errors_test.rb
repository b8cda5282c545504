# frozen_string_literal: true

require "test_helper"

# No speed stands without the errors it was measured with.
class ReportErrorsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  # { variant => failed requests in each slice }
  def measured(failed, rates = { "a" => 1000, "b" => 1300, "c" => 1301 }, **options)
    result = SampleResult.new(rates, **options).to_h
    result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
      count = failed.fetch(trial[:variant], 0)
      trial[:slices].each { |slice| slice[:errors] = { "timeout" => count } } if count.positive?
    end
    Mohs::Stored.document(result)
  end

  def errors(document) = document[:rows].to_h { |row| [row[:variant], row[:errors]] }

  def notes(document)
    document[:notes].select { |note| note[:name] == "errors" }.map { |note| note[:text] }
  end

  test "a row has its share of failed requests, and how likely that is beside the baseline" do
    found = errors(measured({ "b" => 4, "c" => 1, "a" => 1 }))

    # 3 rounds of 20 slices with 1000 requests each.
    assert_equal [240, 0.004], found["b"].values_at(:total, :share)
    assert_equal [nil, false], found["a"].values_at(:p, :differs)
    assert_equal [1.0, false], found["c"].values_at(:p, :differs)
    assert_operator found["b"][:p], :<, 1e-3
    assert found["b"][:differs]
  end

  test "who fails more than the baseline beyond chance is named below the table" do
    notes = notes(measured({ "b" => 4, "a" => 1 }))

    assert_said(*notes.sort)
    assert_empty notes(measured({ "b" => 1, "a" => 1, "c" => 1 }))
  end

  test "the table has a column of errors, which no width leaves out, if there are any" do
    document = measured({ "b" => 4 })
    [60, 80, 120].each do |width|
      text = screen(document, width:)

      assert_match(/^variant .* errors  /, text)
      assert_match(/^b .*  0\.4 %   /, text)
      assert_match(/^a .*  0  /, text)
    end
    refute_match(/errors/, screen(measured({})))
  end

  test "the sentence gives them, of all that it speaks of" do
    sentences = {
      { "b" => 4, "c" => 4 } => "; failed requests: \"[bc]\" 0\\.4 %",
      { "a" => 4 } => "; failed requests: \"a\" 0\\.4 %",
    }
    sentences.each { |failed, text| assert_match(/#{text}/, measured(failed)[:sentence]) }
    refute_match(/failed/, measured({})[:sentence])
    rates = { "equal" => { "a" => 1000, "b" => 1000 }, "fewer" => { "a" => 1000, "b" => 800 },
              "serves" => { "a" => 1000 } }
    rates.each do |word, given|
      sentence = measured({ "a" => 2 }, given, boot_sd: 0.0001, block_sd: 0.0001)[:sentence]
      assert_match(/#{word}.*; failed requests: "a" 0\.2 %/, sentence)
    end
  end

  test "of fewer than three rounds, too: a single boot can't tell" do
    once = measured({ "a" => 2, "b" => 4, "c" => 2 }, rounds: 1)

    assert_match(/errors/, screen(once))
    assert_equal [nil], errors(once).values.map { |one| one[:p] }.uniq
    assert_said(*notes(once))
  end

  def comparison(failed)
    change = lambda do |slice, name, _, _|
      slice[:errors] = { "timeout" => failed[name] } if failed[name]
    end
    Mohs::Stored.document(CompareResult.new([0.1, 0.11, 0.09], slice: change).to_h)
  end

  test "a comparison has them in its sentence, in its table and below it" do
    document = comparison({ "b" => 4, "a" => 1 })
    text = screen(document)

    assert_match(/; failed requests: "b" 0\.4 %, "a" 0\.1 %\.$/, document[:sentence])
    assert_match(/^errors +\d+ \(0\.1 %\) +\d+ \(0\.4 %\) +worse$/, text)
    assert_said(text[/^errors +"b".*/])
    assert_match(/^errors +\d+ \(0\.4 %\) +\d+ \(0\.1 %\) +better$/,
                 screen(comparison({ "a" => 4, "b" => 1 })))
    assert_match(/^errors +0 +0$/, screen(comparison({})))
  end
end
