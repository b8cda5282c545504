# frozen_string_literal: true

require "test_helper"

# The servers on engines other than Ruby's own, as a person runs them: installed, booted, asked,
# attested, stopped. test/integration/servers_test.rb has the others.
class OtherEnginesServersTest < Mohs::TestCase
  LIMIT_S = 1200

  engines = Mohs::Rubies.all.select(&:ok?).group_by(&:engine).except("ruby", "mock")
  engines.transform_values(&:first).each_value do |ruby|
    Mohs::Servers.all.reject { |klass| klass::FOR_TESTS }.each do |klass|
      next unless klass.capabilities.fetch(:engines).include?(ruby.engine)

      test "#{klass.label} serves on #{ruby.name}, and leaves the application's folder alone" do
        Dir.mktmpdir("mohs-test") do |folder|
          app = File.join(folder, "hello")
          FileUtils.cp_r(File.join(Mohs.root, "apps/hello"), app)
          before = Dir.glob("**/*", File::FNM_DOTMATCH, base: app).sort
          result = Mohs::MohsCommand.new(folder).call(
            "run", "--app", app, "--variant", "#{ruby.name}, #{klass.label}", "--rounds", "1",
            "--json", limit_s: LIMIT_S
          )
          row = result.json.fetch(:rows).first

          assert_equal "measured", row[:state], result.err
          assert_equal ruby.engine, row.dig(:attested, :engine)
          assert_operator row.dig(:memory, :at_end, :heap, :committed_bytes), :>=,
                          row.dig(:memory, :at_end, :heap, :used_bytes)
          assert_equal 0, row[:errors].to_h.values.grep(Integer).sum
          assert_equal before, Dir.glob("**/*", File::FNM_DOTMATCH, base: app).sort
        end
      end
    end
  end
end
