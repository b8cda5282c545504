# frozen_string_literal: true

require "test_helper"

# The doctor's document: the contract's levels, and what is unknown apart from them.
class DoctorModelTest < Mohs::TestCase
  include Mohs::DoctorHelper

  def document(results, **rest)
    Mohs::Report::DoctorModel.document(results, changes: nil, seconds: 3, **rest)
  end

  def faults(document)
    Mohs::JSONContract.new("`doctor`").faults(Mohs::Report::Document.envelope("doctor", document))
  end

  test "of any host it has the keys of the page, and only levels of the contract" do
    hosts = [{}, TREE.transform_values { nil }]
    hosts.each do |files|
      with_facts(files) do |facts|
        results = Mohs::Analysis::Host.call(facts)
        made = document(results)

        assert_empty faults(made)
        assert_empty made[:checks].map { |check| check[:level] } - %w[ok warn bad]
        assert_equal results.map(&:member).sort,
                     (made[:checks] + made[:unknown]).map { |check| check[:name] }.sort
      end
    end
  end

  test "the order of the checks is kept" do
    with_facts do |facts|
      assert_equal Mohs::Analysis::Host.names,
                   document(Mohs::Analysis::Host.call(facts))[:checks].map { |check| check[:name] }
    end
  end

  test "a self test is in it as plain data" do
    results = [{ log_difference: 0.01, seconds: 2.0 }, { log_difference: -0.01, seconds: 4.0 }]
    made = document([], self_test: Mohs::Compare::Resolution.of(results))

    assert_empty faults(made)
    assert_in_delta 3.0, made[:self_test][:cohort_s]
    assert_equal [0.05, 0.02, 0.01], made[:self_test][:resolves].map { |one| one[:difference] }
    assert_equal made, JSON.parse(JSON.generate(made), symbolize_names: true)
  end

  test "what a cohort kept against its host is put into words, and old rows have theirs" do
    kept = Mohs::Analysis::Host.dump(find("swap", activity: QUIET.merge(swapped: 9)))
    old = { name: "swap", label: "swap", level: "bad", detail: "9 pages went to swap" }

    assert_equal %i[name label level code values], kept.keys
    assert_equal({ name: "swap", label: "swap", level: "bad", detail: "9 pages swapped" },
                 Mohs::Report::DoctorModel.against(JSON.parse(JSON.generate(kept),
                                                              symbolize_names: true)))
    assert_equal old, Mohs::Report::DoctorModel.against(old)
  end
end
