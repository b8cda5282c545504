# frozen_string_literal: true

require "test_helper"

class ProvenanceTest < Mohs::TestCase
  # { term => text } of the section, and of the machine in it.
  def shown(**document)
    parts = Mohs::Report::Sections::Provenance.new(document).to_section.parts
    [parts, parts.grep(Mohs::Report::View::Section::Fold).flat_map(&:parts)].map do |list|
      list.grep(Mohs::Report::View::Section::Pairs).flat_map(&:pairs).to_h
    end
  end

  test "the units of the machine's figures are declared, not in their names" do
    _, machine = shown(run: 7, host: {
                         fingerprint: { cores: 4, memory_bytes: 2**34, cpu: "X", some_bytes: 123 },
                         noise: { foreign_cpu_share: 0.031, timeshare: 2.0, waited_s: 75.2 },
                       })

    assert_equal({ "cores" => "4", "memory" => "16.0 GB", "cpu" => "X", "some bytes" => "123",
                   "other processes" => "3.1 %", "timeshare" => "2.0", "waited" => "1 min 15 s" },
                 machine)
  end

  test "the seed names no option, which not every command has" do
    [[], [{ name: "--seed", value: "7" }]].each do |options|
      invocation = { command: "explain", arguments: ["7"], options: }
      facts, = shown(provenance: { seed: 7, invocation: })

      assert_equal({ "seed" => "7 (the same study and seed give the same order)" }, facts)
    end
  end
end
