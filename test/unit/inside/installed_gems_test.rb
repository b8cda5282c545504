# frozen_string_literal: true

require "test_helper"
require "mohs/inside/installed_gems"

module Mohs
  class InstalledGemsTest < TestCase
    RUBY = File.realpath(Gem.ruby)

    # A folder with a gem "heavy" that `ruby` compiled and one, "plain", without an extension.
    def with_gems(ruby: RUBY, platform: "x86_64-linux", abi: "3.1.0")
      extension = "home/extensions/#{platform}/#{abi}/heavy-1.0"
      with_files( # the specifications last, as RubyGems does
        "home/gems/heavy-1.0/lib/heavy.rb" => "1", "home/gems/heavy-1.0/data/deep/er" => "2",
        "home/gems/plain-1.0/README" => "none",
        "home/intact/heavy-1.0" => "", "home/intact/plain-1.0" => "",
        "#{extension}/gem.build_complete" => "", "#{extension}/heavy.so" => "so",
        "#{extension}/gem_make.out" => "current directory: /a b\n#{ruby} -I /x extconf.rb\nok\n",
        "home/specifications/heavy-1.0.gemspec" => "#{stub('heavy')}# stub: ext/extconf.rb\n\nX\n",
        "home/specifications/plain-1.0.gemspec" => "#{stub('plain')}\nX\n"
      ) { |root| yield "#{root}/home", "#{root}/home/#{extension.delete_prefix('home/')}", root }
    end

    def stub(name) = "# -*- encoding: utf-8 -*-\n# stub: #{name} 1.0 ruby lib\n"

    def installed(*homes) = MohsInstalledGems.new(homes, ruby: RUBY, abi: "3.1.0")

    def find(home, name) = installed(home).find(["#{name}-1.0"])

    test "gems that this Ruby installed are found, with the folder of a compiled extension" do
      with_gems do |home, extension|
        assert_equal [[home, "plain-1.0", nil], [home, "heavy-1.0", extension]],
                     [find(home, "plain").to_a, find(home, "heavy").to_a]
        assert_nil installed("/nowhere", home).find(["other-1.0"])
        assert_equal home, installed("/nowhere", home).find(["plain-1.0-java", "plain-1.0"]).home
      end
    end

    test "an extension that has to be compiled in another way is not used" do
      with_gems do |home,|
        gems = MohsInstalledGems.new([home], ruby: RUBY, abi: "3.1.0", except: %w[heavy plain])
        assert_nil gems.find(["heavy-1.0"])
        assert_equal home, gems.find(["plain-1.0"]).home
      end
    end

    test "a gem of another checkout is used unless a file was changed after its installation" do
      %w[home/gems/heavy-1.0/data/deep/er home/extensions/x86_64-linux/3.1.0/heavy-1.0/heavy.so]
        .each do |changed|
        with_gems do |home, _, root|
          everything = Dir.glob("#{root}/**/*")
          File.utime(1, 1, *everything)
          others = MohsInstalledGems.new([home], ruby: RUBY, abi: "3.1.0", others: [home])
          assert_equal home, others.find(["heavy-1.0"])&.home
          File.utime(2, 2, "#{root}/#{changed}")
          assert_nil others.find(["heavy-1.0"])
          assert_equal [home, home], [find(home, "heavy"), others.find(["plain-1.0"])].map(&:home)
        end
      end
    end

    # What somebody did to a gem, without a trace in the times that files show.
    DAMAGES = {
      "a file is gone" => ->(file) { File.delete(file) },
      "a file was added, and its folder's time reset" => ->(file) do
        folder = File.dirname(file)
        before = File.mtime(folder)
        FileUtils.touch("#{folder}/more.rb", mtime: before)
        File.utime(before, before, folder)
      end,
      "a file was replaced by one of the same time" => ->(file) do
        FileUtils.cp(file, "#{file}.new", preserve: true)
        File.rename("#{file}.new", file)
      end,
      "a file was written to and its time reset" => ->(file) do
        before = File.mtime(file)
        File.write(file, "so?")
        File.utime(before, before, file)
      end,
    }.freeze

    DAMAGES.each do |what, damage|
      test "a gem of another checkout is not used if #{what}" do
        %w[gems/heavy-1.0/data/deep/er extensions/x86_64-linux/3.1.0/heavy-1.0/heavy.so]
          .each do |file|
          with_gems do |home,|
            others = MohsInstalledGems.new([home], ruby: RUBY, abi: "3.1.0", others: [home])
            File.utime(1, 1, *Dir.glob("#{home}/**/*"))
            refute_nil others.find(["heavy-1.0"]), file
            wait_for_tick("#{home}/specifications/heavy-1.0.gemspec")
            damage.call("#{home}/#{file}")
            assert_nil others.find(["heavy-1.0"]), file
          end
        end
      end
    end

    DAMAGES.each do |what, damage|
      test "a copy of a gem is not used for another checkout if of the original #{what}" do
        with_gems do |home, _, root|
          File.utime(1, 1, *Dir.glob("#{home}/**/*"))
          wait_for_tick("#{home}/specifications/heavy-1.0.gemspec")
          damage.call("#{home}/gems/heavy-1.0/data/deep/er")
          copies = "#{root}/copies"
          %w[heavy plain].each { |name| copy(home, name, copies) }

          assert_nil copies_of_others(copies).find(["heavy-1.0"])
          refute_nil copies_of_others(copies).find(["plain-1.0"])
          refute_nil find(copies, "heavy"), "its own checkout has it as it was"
        end
      end
    end

    test "a copy of a copy for another checkout is as good; what is copied again is judged anew" do
      with_gems do |home, _, root|
        first, second = %w[first second].map { |name| "#{root}/#{name}" }
        copy(home, "plain", first)
        found = copies_of_others(first).find(["plain-1.0"])
        installed(first).copy(found, second, "x")
        refute_nil copies_of_others(second).find(["plain-1.0"])

        wait_for_tick("#{home}/specifications/plain-1.0.gemspec")
        File.write("#{home}/gems/plain-1.0/README", "else")
        copy(home, "plain", first)
        assert_nil copies_of_others(first).find(["plain-1.0"])
      end
    end

    def copies_of_others(home)
      MohsInstalledGems.new([home], ruby: RUBY, abi: "3.1.0", others: [home])
    end

    # With the name of the folder of extensions that with_gems has.
    def copy(home, name, target)
      installed(home).copy(find(home, name), target, "x86_64-linux/3.1.0")
    end

    # The kernel's clock for files advances in steps of some ms.
    def wait_for_tick(path)
      probe = "#{path}.tick"
      loop do
        FileUtils.touch(probe)
        break if File.lstat(probe).ctime > File.lstat(path).ctime
      end
      File.delete(probe)
    end

    test "an extension that another Ruby compiled, or nobody knows who, is not used" do
      with_gems(ruby: "/bin/sh") { |home,| assert_nil find(home, "heavy") }
      with_gems(ruby: "/nowhere/bin/ruby") { |home,| assert_nil find(home, "heavy") }
      with_gems(abi: "3.1.0-static") { |home,| assert_nil find(home, "heavy") }
      with_gems do |home, extension|
        File.delete("#{extension}/gem_make.out")
        assert_nil find(home, "heavy")
      end
    end

    test "an extension whose compilation did not end is not used" do
      with_gems do |home, extension|
        File.delete("#{extension}/gem.build_complete")
        assert_nil find(home, "heavy")
      end
    end

    test "a gem that others can change is not used" do
      ["", "gems", "gems/heavy-1.0/data/deep", "gems/heavy-1.0/lib/heavy.rb", "specifications",
       "specifications/heavy-1.0.gemspec", "extensions/x86_64-linux",
       "extensions/x86_64-linux/3.1.0/heavy-1.0/heavy.so"].each do |path|
        with_gems do |home, _, root|
          changed = File.join(home, path)
          File.chmod(File.stat(changed).mode | 0o002, changed)
          assert_nil find(home, "heavy"), path
          File.chmod(0o755, changed)
          File.chmod(0o777, root)
          assert_nil find(home, "heavy"), "the folder above could be replaced"
        end
      end
    end

    test "a gem of another user is not used" do
      skip "only root can give a file away" unless ::Process.euid.zero?
      with_gems do |home,|
        File.chown(65_534, nil, "#{home}/gems/plain-1.0/README")
        assert_nil find(home, "plain")
        File.chown(65_534, nil, home)
        assert_nil find(home, "heavy")
      end
    end

    test "a folder in one that all may write to, such as /tmp, is used if the sticky bit is set" do
      with_gems do |home, _, root|
        File.chmod(0o1777, root)
        refute_nil find(home, "heavy")
      end
    end

    test "of links only those within the gem are followed" do
      with_gems do |home,|
        File.symlink("heavy.rb", "#{home}/gems/heavy-1.0/lib/same.rb")
        refute_nil find(home, "heavy")
        File.symlink("../../plain-1.0/README", "#{home}/gems/heavy-1.0/README")
        assert_nil find(home, "heavy")
        File.delete("#{home}/gems/plain-1.0/README")
        File.symlink("/etc/hostname", "#{home}/gems/plain-1.0/README")
        assert_nil find(home, "plain")
      end
    end

    test "Debian's own packages have their files elsewhere" do
      with_files("rubygems-integration/all/specifications/rack-2.2.gemspec" => stub("rack"),
                 "rubygems-integration/all/gems/rack-2.2/bin/rackup" => "") do |root|
        assert_nil installed("#{root}/rubygems-integration/all").find(["rack-2.2"])
      end
    end

    test "TruffleRuby's mark of a folder of gems is copied too" do
      with_gems do |home, _, root|
        mark = "truffleruby_gem_dir_marker.txt"
        installed(home).copy(find(home, "plain"), "#{root}/copy", "x/3.1.0")
        refute_path_exists "#{root}/copy/#{mark}"
        File.write("#{home}/#{mark}", "")
        installed(home).copy(find(home, "plain"), "#{root}/copy", "x/3.1.0")
        assert_path_exists "#{root}/copy/#{mark}"
      end
    end

    test "a copy has the files and the extension under the name that this RubyGems looks for" do
      with_gems do |home, _, root|
        gems = installed(home)
        2.times { gems.copy(find(home, "heavy"), "#{root}/copy", "x-gnu/3.1.0") }
        FileUtils.rm_rf(home)
        files = Dir.glob("**/*", base: "#{root}/copy")
                   .select { |path| File.file?("#{root}/copy/#{path}") }
        assert_equal %w[extensions/x-gnu/3.1.0/heavy-1.0/gem.build_complete
                        extensions/x-gnu/3.1.0/heavy-1.0/gem_make.out
                        extensions/x-gnu/3.1.0/heavy-1.0/heavy.so
                        gems/heavy-1.0/data/deep/er gems/heavy-1.0/lib/heavy.rb
                        intact/heavy-1.0 specifications/heavy-1.0.gemspec], files.sort
      end
    end
  end
end
