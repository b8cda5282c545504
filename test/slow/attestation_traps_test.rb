# frozen_string_literal: true

require "test_helper"

# As test/integration/attestation_traps_test.rb, with interpreters and gems that take their time.
class SlowAttestationTrapsTest < Mohs::TestCase
  include Mohs::Attested

  LIMIT_S = 1200

  def self.rubies(pattern) = Dir["/opt/rubies/#{pattern}/bin/ruby"]

  # Flags => JIT, invokedynamic (nil: as this version has it by default).
  JRUBY = {
    [] => ["jit", nil],
    %w[--dev] => ["off", false],
    %w[-Xcompile.invokedynamic=true] => ["jit", true],
    %w[-Xcompile.invokedynamic=false] => ["jit", false],
    %w[-X-C] => ["off", nil],
    %w[-Xcompile.mode=OFF -J-Xmx512m] => ["off", nil],
  }.freeze

  rubies("jruby-*").each do |path|
    JRUBY.each do |flags, (jit, invokedynamic)|
      test "#{path} #{flags.join(' ')} is attested by what JRuby itself has set" do
        attested(path, flags:) do |facts|
          default = Gem::Version.new(facts[:version]) >= Gem::Version.new("10")
          wanted = invokedynamic.nil? ? default : invokedynamic

          assert_equal [jit, wanted, flags, []],
                       facts.values_at(:jit, :invokedynamic, :flags, :unattested)
          assert_includes facts[:interpreter], "+jit" if flags.include?("-X-C")
        end
      end
    end
  end

  # TruffleRuby's description and TruffleRuby.jit? are the same with all of them.
  rubies("truffleruby-*").each do |path|
    { [] => "graal", %w[--engine.Mode=latency] => "graal",
      %w[--engine.Compilation=false] => "off" }.each do |flags, jit|
      test "#{path} #{flags.join(' ')} is attested by its command line" do
        attested(path, flags:) do |facts|
          assert_equal [jit, flags, []], facts.values_at(:jit, :flags, :unattested)
        end
      end
    end
  end
end
