# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class UntemplatedTest < TestCase
      def remedy(path, *files, remedy: nil, key: :last)
        Dir.mktmpdir do |dir|
          files.each do |file|
            FileUtils.mkdir_p(File.dirname(at = File.join(dir, file)))
            File.write(at, "")
          end
          path = path.sub("DIR", dir)
          quoted = "No such file or directory @ rb_sysopen - #{path} (Errno::ENOENT)"
          reason = Reason.new(summary: "it ended", code: "ended", remedy:,
                              values: { key => quoted })
          Untemplated.complete(reason, dir:).remedy
        end
      end

      test "a missing file is made from the template beside it" do
        made = "Make config/site.yml from its template: cp %s config/site.yml"
        %w[config/site.yml.tmpl config/site.yml.example config/site.sample.yml
           config/site.yml-dist].each do |template|
          assert_equal format(made, template), remedy("DIR/config/site.yml", template)
        end
        template = "config/site.yml.tmpl"

        assert_equal format(made, template), remedy("config/site.yml", template)
        assert_equal format(made, template), remedy("config/site.yml", template, key: :why)
      end

      test "a file without an extension may have a template, too" do
        assert_includes remedy("DIR/.env", ".env.example"), "cp .env.example .env"
      end

      test "no other file is one" do
        ["config/site2.yml.tmpl", "config/site.yml.rb", "config/site.yml"].each do |other|
          assert_nil remedy("DIR/config/site.yml", other)
        end
        assert_nil remedy("/nowhere/site.yml", "site.yml.tmpl")
        assert_nil remedy("DIR/../site.yml", "site.yml.tmpl")
        assert_nil remedy("DIR/none/site.yml", "site.yml.tmpl")
      end

      test "any other reason stays as it is" do
        assert_equal "Wait.", remedy("config/site.yml", "config/site.yml.tmpl", remedy: "Wait.")
        assert_nil Untemplated.complete(nil, dir: "/nowhere")
        reason = Reason.new(summary: "no answer", code: "silent", values: {})
        assert_same reason, Untemplated.complete(reason, dir: "/nowhere")
      end
    end
  end
end
