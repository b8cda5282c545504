# frozen_string_literal: true

require "test_helper"

class SecretsVaultTest < Mohs::TestCase
  SECRETS = ["hunter2", "sesame", "of_one", "in body"].freeze

  test "what is sealed has no secret, survives JSON, and opens to what it was" do
    in_vault do |vault|
      text = JSON.generate(vault.seal(study).to_h)
      again = Mohs::Study.from_h(JSON.parse(text, symbolize_names: true))

      SECRETS.each { |secret| refute_includes text, secret }
      assert_includes text, "postgresql://me:[secret "
      assert_equal study, vault.open(again)
    end
  end

  test "a secret that contains another opens to what it was" do
    in_vault do |vault|
      body = '{"query": "a(token: \"pg://me:sesame@h\")"}'
      request = Mohs::App::Request.build(path: "/", method: "POST", body:)
      given = Mohs::Study.new(app: "/a", requests: [request], variants: [], env: {})
      sealed = vault.seal(given)

      assert_match(%r{\A\{"query": "a\(token: \\"\[secret \h{16}/1\]\\"\)"\}\z},
                   sealed.requests.first.body)
      assert_equal given, vault.open(sealed)
    end
  end

  test "only the person can read what is kept" do
    in_vault do |vault, folder|
      vault.seal(study)

      assert_equal([0o100600], files(folder).map { |file| File.stat(file).mode })
      assert_equal 0o40700, File.stat(File.dirname(files(folder).first)).mode
    end
  end

  test "each run has its own, and forgetting one leaves the others" do
    in_vault do |vault, folder|
      first, second = Array.new(2) { vault.seal(study) }
      vault.forget(first)

      assert_equal 1, files(folder).size
      assert_equal study, vault.open(second)
      error = assert_raises(Mohs::EnvironmentError) { vault.open(first) }
      assert_match(/the value of \S+ is a secret.*#{folder}/, error.message)
    end
  end

  test "where there is no secret nothing is kept, and nothing changes" do
    in_vault do |vault, folder|
      plain = Mohs::Study.new(**study.each_pair.to_h, env: { "A" => "1" }, variants: [],
                                                      requests: [])

      assert_equal plain, vault.seal(plain)
      assert_equal plain, vault.open(plain)
      assert_empty files(folder)
      assert_nil vault.forget(plain)&.first
    end
  end

  private

  def in_vault
    with_files({}) do |folder|
      yield Mohs::Secrets::Vault.new(env: { "XDG_DATA_HOME" => folder }), folder
    end
  end

  def files(folder) = Dir.glob("#{folder}/mohs/secrets/*")

  def study
    request = Mohs::App::Request.build(path: "/?page=1&api_key=hunter2", method: "POST",
                                       headers: { "Cookie" => "sesame" },
                                       body: '{"user": "ann", "password": "in body"}')
    variant = Mohs::Study::Variant.new(name: "v", ruby: "3.4.5", server: "mock",
                                       env: { "B_TOKEN" => "of_one" })
    Mohs::Study.new(app: "/a", requests: [request], variants: [variant],
                    env: { "A_KEY" => "hunter2", "DATABASE_URL" => "postgresql://me:hunter2@h/d",
                           "C" => "plain" })
  end
end
