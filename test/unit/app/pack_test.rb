# frozen_string_literal: true

require "test_helper"

# A folder as one file, and out of it again.
class AppPackTest < Mohs::TestCase
  Pack = Mohs::App::Pack

  FILES = { "config.ru" => "run App\n", "bin/rails" => "#!/bin/sh\n", "db/shop.sqlite3" => "\0\1",
            ".ruby-version" => "3.4.5\n", ".env.example" => "KEY=\n",
            "config/application.yml.example" => "KEY:\n", "storage/production.sqlite3" => "\0\1",
            "storage/s3/disk.rb" => "1", "config/application.rb" => "1",
            "app/node/a.rb" => "1" }.freeze
  SECRETS = { ".env" => "KEY=s3cr3t", ".env.production" => "A=b", "config/master.key" => "s3cr3t",
              "config/credentials/production.key" => "s3cr3t", "tls/server.pem" => "s3cr3t",
              ".bundle/config" => "s3cr3t", "config/.env" => "s3cr3t", ".envrc" => "s3cr3t",
              "sub/.env.production" => "s3cr3t", "sub/.bundle/config" => "s3cr3t",
              ".kamal/secrets" => "s3cr3t", ".npmrc" => "s3cr3t", ".pgpass" => "s3cr3t",
              "id_rsa" => "s3cr3t", "tls/SERVER.KEY" => "s3cr3t", "x.pfx" => "s3cr3t",
              ".git-credentials" => "s3cr3t", ".kube/config" => "s3cr3t", "id_dsa" => "s3cr3t",
              "config/secrets.yml" => "s3cr3t", "sub/config/application.yml" => "s3cr3t",
              "putty.ppk" => "s3cr3t", "app.keystore" => "s3cr3t", ".pypirc" => "s3cr3t",
              ".vault-token" => "s3cr3t", "infra/terraform.tfstate.backup" => "s3cr3t",
              "service-account-lab.json" => "s3cr3t", ".config/gcloud/a.db" => "s3cr3t",
              "db/development.sqlite3" => "s3cr3t", "storage/test.sqlite3-wal" => "s3cr3t" }.freeze
  LEFT = { ".git/HEAD" => "x", "node_modules/a/index.js" => "x", "engines/a/node_modules/b" => "x",
           "log/production.log" => "x", "tmp/pids/server.pid" => "1",
           ".hg/hgrc" => "x", ".svn/auth/x" => "x", "storage/ab/cd/abcd" => "x",
           "vendor/bundle/ruby/a.rb" => "x" }.freeze

  def packed(files = FILES)
    with_files(files) do |dir|
      FileUtils.chmod(0o755, File.join(dir, "bin/rails")) if files.key?("bin/rails")
      yield dir if block_given?
      Pack.of(dir)
    end
  end

  test "names are as long as a file system has them" do
    names = ["a" * 101, "#{'b' * 90}.rb", "#{'d' * 200}/#{'ü' * 110}.rb",
             "#{(['e' * 50] * 20).join('/')}/x"]
    files = names.to_h { |name| [name, name[0]] }
    empty, link = "f" * 120, "g" * 130
    pack = packed(files) do |dir|
      Dir.mkdir(File.join(dir, empty))
      File.symlink("a" * 101, File.join(dir, link)) # as long as no header's target is
      File.symlink("#{'b' * 90}.rb", File.join(dir, "#{link}h"))
    end

    assert_equal [4, [link]], [pack.files, pack.links]
    unpacked(pack) do |into|
      assert_equal({ **files, "#{link}h" => "b" }, contents(into))
      assert File.directory?(File.join(into, empty))
    end
  end

  def unpacked(pack, sha256: pack.sha256)
    Dir.mktmpdir("mohs-test") do |into|
      Pack.unpack(pack.data, sha256:, into:)
      yield into
    end
  end

  def contents(dir)
    paths = Dir.glob("**/*", File::FNM_DOTMATCH, base: dir).select { |one| File.file?("#{dir}/#{one}") }
    paths.to_h { |path| [path, File.binread("#{dir}/#{path}").force_encoding("UTF-8")] }
  end

  test "what servers need comes out as it went in" do
    pack = packed({ **FILES, **LEFT, **SECRETS })

    unpacked(pack) do |dir|
      assert_equal FILES, contents(dir)
      assert File.executable?(File.join(dir, "bin/rails"))
      assert_equal [true, true], %w[log tmp/pids].map { |path| Dir.exist?(File.join(dir, path)) }
    end
    assert_equal [FILES.size, SECRETS.keys.sort, []], [pack.files, pack.secrets, pack.links]
  end

  test "no secret is in the file" do
    data = Zlib.gunzip(packed({ **FILES, **SECRETS }).data)

    refute_includes data, "s3cr3t"
    refute_includes data, "master.key"
  end

  test "the same folder gives the same file, another one another" do
    first, same, other = packed, packed, packed({ **FILES, "config.ru" => "run Other\n" })

    assert_equal first, same
    refute_equal first.sha256, other.sha256
  end

  test "links within the folder stay links, others stay behind and are named" do
    pack = packed({ **FILES, ".env" => "A=b", "node_modules/a" => "x" }) do |dir|
      { "bin/config.ru" => "../config.ru", "passwd" => "/etc/passwd", "app/above" => "../..",
        "env" => ".env", "module" => "node_modules/a", "nowhere" => "no/such/file" }
        .each { |path, target| File.symlink(target, File.join(dir, path)) }
    end

    assert_equal %w[app/above env module nowhere passwd], pack.links
    unpacked(pack) do |dir|
      assert_equal "../config.ru", File.readlink(File.join(dir, "bin/config.ru"))
      refute File.exist?(File.join(dir, "passwd"))
    end
  end

  # Links to make, and those of them that stay behind. "%s" is the application's folder, "%n" its
  # name.
  { "a folder of secrets" => [{ "ssl" => "config/ssl" }, %w[ssl]],
    "an absolute link" => [{ "rel/latest" => "%s/rel/1", "current" => "rel/latest" },
                           %w[current rel/latest]],
    "a file by an absolute link" => [{ "c" => "%s/rel", "y" => "c/1/x" }, %w[c y]],
    "the folder from outside" => [{ "y" => "../%n/rel/1/x" }, %w[y]],
    "a pipe" => [{ "y" => "pipe" }, %w[y]],
    "a folder of nothing but such links" => [{ "d/out" => "/etc", "e" => "d" }, %w[d/out e]],
    "a way through such a folder" => [{ "d/out" => "/etc", "e" => "d/../rel" }, %w[d/out e]],
    "links that the archive has" => [{ "rel/latest" => "./1", "current" => "rel/latest/",
                                       "deep/er/y" => "../../current/../1/x" }, []] }
    .each do |what, (links, left)|
      test "a link to #{what} is packed only if it leads somewhere in the archive" do
        files = { "config/ssl/a.pem" => "s3cr3t", "rel/1/x" => "1" }
        pack = packed(files) do |dir|
          File.mkfifo(File.join(dir, "pipe"))
          links.each do |path, target|
            FileUtils.mkdir_p(File.dirname(File.join(dir, path)))
            target = target.sub("%s", dir).sub("%n", File.basename(dir))
            File.symlink(target, File.join(dir, path))
          end
        end

        assert_equal left, pack.links
        unpacked(pack) do |into|
          (links.keys - left).each { |path| assert File.exist?(File.join(into, path)), path }
        end
      end
    end

  test "what is neither file nor link, and what ends while it is read, is left out" do
    pack = packed { |dir| File.mkfifo(File.join(dir, "pipe")) }

    assert_equal FILES.size, pack.files
  end

  test "empty folders, and names that are no UTF-8, are there again" do
    pack = packed do |dir|
      Dir.mkdir(File.join(dir, "data"))
      File.write(File.join(dir, "\xE4.rb".b), "1")
      File.symlink("/etc", File.join(dir, "\xF6".b))
    end

    assert_equal 1, JSON.parse(JSON.generate(pack.to_study))["links"].size
    unpacked(pack) do |dir|
      assert Dir.exist?(File.join(dir, "data"))
      assert_equal "1", File.read(File.join(dir.b, "\xE4.rb".b))
    end
  end

  test "a folder that is reached by a link is that folder" do
    with_files(FILES) do |dir|
      link = "#{dir}-current"
      File.symlink(dir, link)
      assert_equal Pack.of(dir), Pack.of(link)
    ensure
      FileUtils.rm_f(link)
    end
  end

  test "the same folder gives the same file in another process, a second later" do
    with_files(FILES) do |dir|
      times = [Time.at(1_000), Time.at(2_000)]
      first, second = times.map { |time| Gem.stub(:source_date_epoch, time) { Pack.of(dir) } }

      assert_equal first.sha256, second.sha256
    end
  end

  test "a folder that is too large says what to do instead" do
    error = assert_raises(Mohs::UsageError) do
      packed({ "config.ru" => "" }) do |dir|
        File.binwrite(File.join(dir, "noise"), Random.new(1).bytes(Pack::MOST_BYTES + 1))
      end
    end

    assert_match(/ 64 MiB .*\(@HEAD\)/, error.message)
  end

  test "a file that is not what its name says, or broken, is refused" do
    pack = packed
    [["checksum differs", pack.data, "0" * 64],
     ["(Zlib::GzipFile::Error)", "no archive"],
     ["out of its folder", tar { |one| one.add_file_simple("../x", 0o644, 0) }],
     ["out of its folder", tar { |one| one.add_file_simple("/x", 0o644, 0) }]]
      .each do |why, data, sha256|
        made = Pack.new(sha256: sha256 || Digest::SHA256.hexdigest(data), data:)
        error = assert_raises(Mohs::StoreError) { unpacked(made) { flunk why } }
        assert_operator error.message, :end_with?, "#{why}."
      end
  end

  test "a link that leads out is refused, even as the way to another file" do
    chain = lambda do |one|
      one.mkdir("x/y/z", 0o755)
      one.add_symlink("x/y/z/up", "../..", 0o777)
      one.add_symlink("w", "x/y/z/up/../..", 0o777)
    end
    after = lambda do |one|
      one.add_symlink("w", "x", 0o777)
      one.add_file_simple("w/evil", 0o644, 0)
    end
    [tar { |one| one.add_symlink("x", "/etc", 0o777) },
     tar { |one| one.add_symlink("x", "..", 0o777) }, tar(&chain), tar(&after)].each do |data|
      made = Pack.new(sha256: Digest::SHA256.hexdigest(data), data:)
      assert_raises(Mohs::StoreError) { unpacked(made) { flunk "it was unpacked" } }
    end
  end

  test "nothing is made outside of the folder by the way of a link" do
    with_files("outside/file" => "") do |dir|
      outside = File.join(dir, "outside")
      [%w[a a/b], %w[a a/b/c], %w[a/b a]].each do |names|
        data = tar { |one| names.each { |name| one.add_symlink(name, outside, 0o777) } }
        made = Pack.new(sha256: Digest::SHA256.hexdigest(data), data:)
        error = assert_raises(Mohs::StoreError) { unpacked(made) { flunk "it was unpacked" } }

        assert_includes error.message, "a link has"
        assert_equal %w[file], Dir.children(outside)
      end
    end
  end

  test "a name that begins with ~ is a name" do
    files = { "config.ru" => "run App\n", "~" => "1", "~$notes.docx" => "2", "~root/a" => "3" }

    unpacked(packed(files)) { |dir| assert_equal files, contents(dir) }
  end

  def tar(&)
    out = StringIO.new("".b)
    Gem::Package::TarWriter.new(out, &)
    Zlib.gzip(out.string)
  end
end
