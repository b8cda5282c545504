# frozen_string_literal: true

require "test_helper"

class SecretsTest < Mohs::TestCase
  SECRET = Mohs::Secrets::MASK

  # [name, value] => how it is shown.
  SHOWN = {
    %w[SECRET_KEY_BASE x] => SECRET,
    %w[STRIPE_API_KEY sk] => SECRET,
    %w[GITHUB_TOKEN t] => SECRET,
    %w[PGPASSWORD p] => SECRET,
    ["Authorization", "Bearer abc"] => SECRET,
    ["Cookie", "_session=1"] => SECRET,
    # told by the value
    %w[STRIPE sk_live_51HabcdEFGH0123456789] => SECRET,
    ["TLS", "-----BEGIN PRIVATE KEY-----\nMIIE"] => SECRET,
    %w[DATABASE_URL postgresql://me:hunter2@db/shop?pool=2] =>
      "postgresql://me:#{SECRET}@db/shop?pool=2",
    %w[DATABASE_URL postgresql://me:p@ss@db/shop] => "postgresql://me:#{SECRET}@db/shop",
    %w[REDIS_URL redis://:hunter2@127.0.0.1:6379/0] => "redis://:#{SECRET}@127.0.0.1:6379/0",
    %w[DATABASE_URL postgresql://db/shop?user=me&password=hunter2&pool=2] =>
      "postgresql://db/shop?user=me&password=#{SECRET}&pool=2",
    # and what is none
    %w[DATABASE_URL postgresql://postgres@127.0.0.1:5499/shop] =>
      "postgresql://postgres@127.0.0.1:5499/shop",
    %w[RAILS_MAX_THREADS 5] => "5",
    %w[MALLOC_CONF narenas:2,background_thread:true] => "narenas:2,background_thread:true",
    %w[LD_PRELOAD /usr/lib/x86_64-linux-gnu/libjemalloc.so.2] =>
      "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2",
    ["SECRET_KEY_BASE", ""] => "",
  }.freeze

  SHOWN.each_with_index do |((name, value), shown), index|
    test "#{index}: #{name}=#{value.inspect} is shown as #{shown.inspect}" do
      assert_equal shown, Mohs::Secrets.mask(name, value)
    end
  end

  # How people type them, each word of a command line with what is kept of it.
  TYPED = [
    [%w[--env A_KEY=hunter2], %W[--env A_KEY=#{SECRET}]],
    [["--env", "A_KEY=hunter2 and, more"], %W[--env A_KEY=#{SECRET}]],
    [%w[--env=A_KEY=hunter2], %W[--env=A_KEY=#{SECRET}]],
    [%w[--env A=1], %w[--env A=1]],
    [%w[--env URL=redis://:hunter2@h], %W[--env URL=redis://:#{SECRET}@h]],
    [["-H", "Cookie: s=hunter2; t=hunter2"], ["-H", "Cookie: #{SECRET}"]],
    [["-HCookie:hunter2"], ["-HCookie:#{SECRET}"]],
    [["--header=Authorization: Basic hunter2"], ["--header=Authorization: #{SECRET}"]],
    [["--header", "Accept: text/html"], ["--header", "Accept: text/html"]],
    [["--variant", "3.4.5 --yjit, A_TOKEN=hunter2, puma:1x5"],
     ["--variant", "3.4.5 --yjit, A_TOKEN=#{SECRET}, puma:1x5"]],
    [["--variant", "A_TOKEN='hunter2 hunter2', B=1"], ["--variant", "A_TOKEN=#{SECRET}, B=1"]],
    [["--variant=A_TOKEN=hunter2,hunter2"], ["--variant=A_TOKEN=#{SECRET}"]],
    [%w[--get /users?page=1 --expect Users], %w[--get /users?page=1 --expect Users]],
    [%w[--get /users?access_token=hunter2], %W[--get /users?access_token=#{SECRET}]],
  ].freeze

  TYPED.each_with_index do |(argv, shown), index|
    test "#{index}: of #{argv.inspect} no secret is kept" do
      assert_equal shown, Mohs::Secrets.mask_argv(argv)
    end
  end

  test "the secrets of a study are those of its variables, its variants' and its headers" do
    study = study(env: { "A_KEY" => "hunter2", "B" => "x://u:longest-secret@h" },
                  variant: { "C_KEY" => "of_one" }, headers: { "Cookie" => "hunter2" })

    assert_equal %w[longest-secret hunter2 of_one], study.secrets
  end

  private

  def study(env: {}, variant: {}, headers: {})
    request = Mohs::App::Request.build(path: "/", headers:)
    variant = Mohs::Study::Variant.new(name: "v", ruby: "3.4.5", server: "mock", env: variant)
    Mohs::Study.new(app: "/a", requests: [request], variants: [variant], env:)
  end
end
