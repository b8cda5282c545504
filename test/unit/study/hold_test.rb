# frozen_string_literal: true

require "test_helper"

# What a study holds equal across its variants.
class HoldTest < Mohs::TestCase
  include Mohs::StudyBuild

  Hold = Mohs::Study::Hold

  test "reads how many requests at a time, and how much memory" do
    assert_equal [16, 512_000_000],
                 Hold.parse("concurrency" => "16", "memory" => "512MB").deconstruct
    { "1.5 GB" => 1_500_000_000, "300MB" => 300_000_000, "1GiB" => 1 << 30,
      "64 MiB" => 64 << 20 }.each do |text, bytes|
      assert_equal [nil, bytes], Hold.parse("memory" => text).deconstruct
    end
  end

  test "anything else is refused with what can be written" do
    { { "concurrency" => "0" } => /concurrency "0": .*requests/,
      { "concurrency" => "1x16" } => /concurrency "1x16": .*requests/,
      { "memory" => "512" } => /memory "512": .*512MB/,
      { "memory" => "0MB" } => /memory "0MB": write a size/,
      { "threads" => "5" } => /threads: can't/ }.each do |given, message|
      error = assert_raises(Mohs::UsageError) { Hold.parse(given) }
      assert_match message, error.message
    end
  end

  test "variants of the same size in other shapes are a study" do
    hold = Hold.parse("concurrency" => "16")
    study = build(variants: %w[puma:1x16 puma:2x8 puma:4x4], hold:)

    assert_equal [16] * 3, study.variants.map(&:slots)
    assert_equal study, Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h),
                                                      symbolize_names: true))
  end

  test "a variant of another size is refused with the shape that would do" do
    hold = Hold.parse("concurrency" => "16")
    { %w[puma:1x16 puma:2x5] => /, puma:2x5" .* 10 requests .* 16: puma:2x8\z/,
      %w[puma:1x16 puma:3x5] => /, puma:3x5" works on 15 .* 16\z/,
      %w[puma:1x16 unicorn:4] => /, unicorn:4" works on 4 .* 16: unicorn:16\z/,
      %w[puma:1x16 falcon:2] => /, falcon:2" limits no number/ }.each do |variants, text|
      error = assert_raises(Mohs::UsageError) { build(variants:, hold:) }
      assert_match text, error.message
    end
  end

  test "a configuration file sets its own numbers, which are looked at when it serves" do
    with_files("config/puma.rb" => "workers 2") do |dir|
      study = build(app: app(dir:), variants: ["config/puma.rb"],
                    hold: Hold.parse("concurrency" => "16"))
      assert_nil study.variants.first.slots
    end
  end
end
