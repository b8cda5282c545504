# frozen_string_literal: true

require "test_helper"

# The servers on engines other than Ruby's own, as a person runs them: installed, booted, asked,
# attested, stopped. test/integration/servers_test.rb has the others.
class OtherEnginesServersTest < Mohs::TestCase
  LIMIT_S = 1200

  test "workers that are forked anew are attested, and their CPU time is read" do
    Dir.mktmpdir("mohs-test") do |folder|
      result = Mohs::MohsCommand.new(folder).call(
        "run", "--app", File.join(Mohs.root, "apps/hello"), "--variant", "pitchfork:2 refork",
        "--rounds", "1", "--json", limit_s: LIMIT_S
      )
      row = result.json.fetch(:rows).first

      assert_equal "measured", row[:state], result.err
      assert_equal [1, 2], row[:attested].values_at(:generation, :workers)
      refute_includes row.dig(:attested, :unattested), "refork"
      assert_operator row.dig(:cpu_us_per_request, :value), :>, 0
    end
  end

  # From exec to the end of a JVM on a busy machine.
  END_S = 300

  engines = Mohs::Rubies.all.select(&:ok?).group_by(&:engine).except("ruby", "mock")
  engines.transform_values(&:first).each_value do |ruby|
    test "a process of #{ruby.name} that is attested ends by itself" do
      Dir.mktmpdir("mohs-test") do |folder|
        script = Mohs::Probes::Inside.script(engine: Mohs::Rubies::Engines.named(ruby.engine),
                                             server: Mohs::Servers::Puma)
        File.write(File.join(folder, "attest.rb"), script)
        env = { "MOHS_INSIDE" => folder, "RUBYOPT" => "-r#{folder}/attest.rb" }
        code = "puts Dir.children(ENV['MOHS_INSIDE']).grep(/ask/).size"
        result = Mohs::Process::Capture.call(ruby.command(args: ["-e", code], env:),
                                             timeout_s: END_S)
        assert_equal ["1\n", "exit 0"], [result.stdout, result.status.to_s]
      end
    end

    Mohs::Servers.offered.each do |klass|
      next unless klass.capabilities.fetch(:engines).include?(ruby.engine)

      test "#{klass.label} serves on #{ruby.name}, and leaves the application's folder alone" do
        file, package = klass::PACKAGE
        skip "#{package} is not installed" if file && !File.file?(file)

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
