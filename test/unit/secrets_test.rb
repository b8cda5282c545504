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
    %w[DB_PASS p] => SECRET,
    %w[SMTP_PWD p] => SECRET,
    %w[GPG_PASSPHRASE p] => SECRET,
    %w[X-Pass p] => SECRET,
    %w[API_URL http://h/?userpassword=p&pwd=q&x=r] =>
      "http://h/?userpassword=#{SECRET}&pwd=#{SECRET}&x=r",
    ["Authorization", "Bearer abc"] => SECRET,
    ["Cookie", "_session=1"] => SECRET,
    %w[X-Session s] => SECRET,
    %w[X-CSRF c] => SECRET,
    %w[X-Hub-Signature s] => SECRET,
    %w[X-Jwt j] => SECRET,
    # told by the value
    %w[STRIPE sk_live_51HabcdEFGH0123456789] => SECRET,
    ["TLS", "-----BEGIN PRIVATE KEY-----\nMIIE"] => SECRET,
    %w[DATABASE_URL postgresql://me:hunter2@db/shop?pool=2] =>
      "postgresql://me:#{SECRET}@db/shop?pool=2",
    %w[DATABASE_URL postgresql://me:p@ss@db/shop] => "postgresql://me:#{SECRET}@db/shop",
    %w[REDIS_URL redis://:hunter2@127.0.0.1:6379/0] => "redis://:#{SECRET}@127.0.0.1:6379/0",
    %w[DATABASE_URL postgresql://db/shop?user=me&password=hunter2&pool=2] =>
      "postgresql://db/shop?user=me&password=#{SECRET}&pool=2",
    ["JAVA_TOOL_OPTIONS", "-Xmx1g -Dkey.password=hunter2 -Dx.secret='a b' -Da=1"] =>
      "-Xmx1g -Dkey.password=#{SECRET} -Dx.secret=#{SECRET} -Da=1",
    %w[JRUBY_OPTS -J-Dapi.token=hunter2] => "-J-Dapi.token=#{SECRET}",
    # and what is none
    ["JAVA_TOOL_OPTIONS", "-Dfile.encoding=UTF-8 -XX:MaxD=1"] =>
      "-Dfile.encoding=UTF-8 -XX:MaxD=1",
    %w[DATABASE_URL postgresql://postgres@127.0.0.1:5499/shop] =>
      "postgresql://postgres@127.0.0.1:5499/shop",
    %w[RAILS_MAX_THREADS 5] => "5",
    %w[PWD /home/ann] => "/home/ann",
    %w[OLDPWD /home/ann] => "/home/ann",
    %w[PASSENGER_APP_ENV production] => "production",
    %w[COMPASS_STYLE nested] => "nested",
    %w[BYPASS_CACHE 1] => "1",
    %w[SESSION_STORE redis] => "redis",
    %w[X-Passenger ann] => "ann",
    %w[X-Design flat] => "flat",
    %w[X-Signal 9] => "9",
    %w[MALLOC_CONF narenas:2,background_thread:true] => "narenas:2,background_thread:true",
    %w[LD_PRELOAD /usr/lib/x86_64-linux-gnu/libjemalloc.so.2] =>
      "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2",
    ["SECRET_KEY_BASE", ""] => "",
    # of JSON
    ["VCAP_SERVICES", '[{"name": "db", "password": "a\\"b", "uri": "pg://me:pw@db", "port": 1}]'] =>
      %([{"name": "db", "password": "#{SECRET}", "uri": "pg://me:#{SECRET}@db", "port": 1}]),
    ["VCAP", '{"uris": ["pg://me:pw@db"], "credentials": {"pin": 1, "of": ["x", true, ""]}}'] =>
      %({"uris": ["pg://me:#{SECRET}@db"], ) +
      %("credentials": {"pin": #{SECRET}, "of": ["#{SECRET}", true, ""]}}),
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
    [%w[--get /a?page=2&sig=hunter2&b=1], %W[--get /a?page=2&sig=#{SECRET}&b=1]],
    [["--expect", '{"user":"ann","password":"hunter2","pin_otp": 123}'],
     ["--expect", %({"user":"ann","password":"#{SECRET}","pin_otp": #{SECRET}})]],
    [['--expect={"accessToken" : "hunter2"}'], [%(--expect={"accessToken" : "#{SECRET}"})]],
    [["--expect", '"token":"hunter2" and "more"'], ["--expect", %("token":"#{SECRET}" and "more")]],
    [["--expect", '5" of {"token":["hunter2'], ["--expect", %(5" of {"token":["#{SECRET})]],
    [["-H", "X-Session: hunter2"], ["-H", "X-Session: #{SECRET}"]],
  ].freeze

  TYPED.each_with_index do |(argv, shown), index|
    test "#{index}: of #{argv.inspect} no secret is kept" do
      assert_equal shown, Mohs::Secrets.mask_argv(argv)
    end
  end

  test "the secrets of a study are those of its variables, its variants' and its requests" do
    study = study(env: { "A_KEY" => "hunter2", "B" => "x://u:longest-secret@h" },
                  variant: { "C_KEY" => "of_one" }, headers: { "Cookie" => "hunter2" },
                  path: "/?api_key=in-a-query&page=2", body: "user=ann&password=in_a_body")

    assert_equal %w[longest-secret in-a-query in_a_body hunter2 of_one], study.secrets
  end

  # Each body with what is left of it.
  BODIES = {
    "user=ann&user%5Bpassword%5D=hunter2&x=1" => "user=ann&user%5Bpassword%5D=#{SECRET}&x=1",
    "password=hunter2" => "password=#{SECRET}",
    %({"a": {"apiKey":"x\\"y", "n": 1}, "session" : 42, "t": ["token"]}) =>
      %({"a": {"apiKey":"#{SECRET}", "n": 1}, "session" : #{SECRET}, "t": ["token"]}),
    "--x\r\nContent-Disposition: form-data; name=\"secret\"\r\nX: y\r\n\r\na\nb\r\n" \
    "--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nkept\r\n--x--\r\n" =>
      "--x\r\nContent-Disposition: form-data; name=\"secret\"\r\nX: y\r\n\r\n#{SECRET}\r\n" \
      "--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nkept\r\n--x--\r\n",
    "author=ann&keyword=b&password=" => "author=ann&keyword=b&password=",
    %({"author": "ann", "password": null, "token": ""}) =>
      %({"author": "ann", "password": null, "token": ""}),
    "naïve text, no field" => "naïve text, no field",
    "userpassword=a&pass=b&pwd=c&user[dbpass]=d&passphrase=e&passwordConfirmation=f" =>
      "userpassword=#{SECRET}&pass=#{SECRET}&pwd=#{SECRET}&user[dbpass]=#{SECRET}&" \
      "passphrase=#{SECRET}&passwordConfirmation=#{SECRET}",
    "passenger=a&compass=b&bypass=c&passed=d&surpass=e" =>
      "passenger=a&compass=b&bypass=c&passed=d&surpass=e",
    # not encoded
    "user=ann b&password=correct horse battery&x=1 2\r\npwd=a b" =>
      "user=ann b&password=#{SECRET}&x=1 2\r\npwd=#{SECRET}",
    # XML
    %(<?xml version="1.0"?>\n<a><user>ann</user><wsse:Password Type="t">a &amp; b</wsse:Password>) \
    "<token><![CDATA[x<y]]></token><password/><compass>n</compass>" \
    "<b pass='it' pin=\"1\" userPassword=\"it's\"/><url>pg://me:pw@h</url></a>" =>
      %(<?xml version="1.0"?>\n<a><user>ann</user><wsse:Password Type="t">#{SECRET}) \
      "</wsse:Password><token>#{SECRET}</token><password/><compass>n</compass>" \
      "<b pass='#{SECRET}' pin=\"1\" userPassword=\"#{SECRET}\"/>" \
      "<url>pg://me:#{SECRET}@h</url></a>",
    # GraphQL, alone and in JSON
    %(mutation { login(user: "ann", password: "a \\" b", otp: 123, pin: 4) { id } }) =>
      %(mutation { login(user: "ann", password: "#{SECRET}", otp: #{SECRET}, pin: 4) { id } }),
    %({ login(passphrase: """a "b" c""", input: {apiKey: "x"}) { token: id } }) =>
      %({ login(passphrase: """#{SECRET}""", input: {apiKey: "#{SECRET}"}) { token: id } }),
    '{"query": "query Q($pwd: String!) { a(pwd: \"x\\\\\\\"y\", n: \"z\") }", ' \
    '"variables": {"pwd": "w"}}' =>
      '{"query": "query Q($pwd: String!) { a(pwd: \"[secret]\", n: \"z\") }", ' \
      '"variables": {"pwd": "[secret]"}}',
    'query Q($pwd: String = "x", $pins: Int! = 4, $otp: Int=5) { a(n: "z") }' =>
      'query Q($pwd: String = "[secret]", $pins: Int! = 4, $otp: Int=[secret]) { a(n: "z") }',
    # below a secret field
    '{"password":["a", 12, [3,4]],"x":["b", {"credentials" :' \
    '{"pin":"c\\"","n":{"o":-1.5}}}, "d"]}' =>
      '{"password":["[secret]", [secret], [[secret],[secret]]],"x":["b", {"credentials" :' \
      '{"pin":"[secret]","n":{"o":[secret]}}}, "d"]}',
    '{"key":{},"a":"{\\"key\\"}","b":["]"],"token":[],"c":{"d":"e"}}' =>
      '{"key":{},"a":"{\\"key\\"}","b":["]"],"token":[],"c":{"d":"e"}}',
    "<a><password>\n <of at='1'>x</of> <!-- c -->y\n</password> <b at='1'>z</b></a>" =>
      "<a><password>\n <of at='#{SECRET}'>#{SECRET}</of> <!-- c -->#{SECRET}\n</password> " \
      "<b at='1'>z</b></a>",
    "<a><!-- <password>x</password> --><b/><param name='password'>y</param>" \
    "<param name='pwd' value='z'/><param name='compass' value='n'>e</param></a>" =>
      "<a><!-- <password>#{SECRET}</password> --><b/><param name='password'>#{SECRET}</param>" \
      "<param name='pwd' value='#{SECRET}'/><param name='compass' value='n'>e</param></a>",
    # JSON in a string of JSON
    '{"a":"{\\"password\\":\\"x\\\\\\"y\\",\\"otp\\": 1,\\"n\\":\\"z\\"}"}' =>
      '{"a":"{\\"password\\":\\"[secret]\\",\\"otp\\": [secret],\\"n\\":\\"z\\"}"}',
    # names in other spellings
    "\uFEFF{\"password\":\"x\"}" => "\uFEFF{\"password\":\"#{SECRET}\"}",
    "\uFEFF<password>x</password>" => "\uFEFF<password>#{SECRET}</password>",
    '{"p\\u0061ssword":"x"}' => '{"p\\u0061ssword":"[secret]"}',
    "p%61ssword=x&PHPSESSID=y&JSESSIONID=z&design=a&signal=b" =>
      "p%61ssword=#{SECRET}&PHPSESSID=#{SECRET}&JSESSIONID=#{SECRET}&design=a&signal=b",
    "a=1;password=x;y;b=2" => "a=1;password=#{SECRET};b=2",
    "Preamble\r\n--x\r\nContent-Disposition: form-data; name=password\r\n\r\na\r\n" \
    "--x\r\nContent-Disposition: form-data; name=b; x=y\r\n\r\nkept\r\n--x--\r\n" =>
      "Preamble\r\n--x\r\nContent-Disposition: form-data; name=password\r\n\r\n#{SECRET}\r\n" \
      "--x\r\nContent-Disposition: form-data; name=b; x=y\r\n\r\nkept\r\n--x--\r\n",
  }.freeze

  test "of a body the fields that look secret are replaced, and nothing else" do
    BODIES.each do |body, shown|
      assert_equal shown, Mohs::Secrets::Fields.in_body(body) { SECRET }
      assert_equal body, Mohs::Secrets::Fields.in_body(body, &:itself)
    end
  end

  test "a request is shown without the secrets of its query, sealed or not" do
    { "/a?b=1" => "/a?b=1", "/a" => "/a", "/a?token=" => "/a?token=",
      "/a?b=1&token=hunter2&c=2" => "/a?b=1&token=#{SECRET}&c=2",
      "/a?token=[secret 0123456789abcdef/0]&c=2" => "/a?token=#{SECRET}&c=2",
      "/a?PHPSESSID=x&p%61ssword=y;JSESSIONID=z;n=1;2" =>
        "/a?PHPSESSID=#{SECRET}&p%61ssword=#{SECRET};JSESSIONID=#{SECRET};n=1;2",
      "/a?token=hunter2&\xff" => "/a?token=hunter2&\xff" }.each do |path, shown|
      assert_equal "GET #{shown}", Mohs::App::Request.new(method: "GET", path:).to_s
    end
  end

  test "secrets of an environment are those by name, shape or address, without ordinary words" do
    env = { "API_TOKEN" => "t0k-X", "URL" => "redis://u:p4ss@h/1", "PATH" => "/bin", "LANG" => "C",
            "SECRET_WORD" => "postgres", "PIN_KEY" => "1234", "SSH_AUTH_SOCK" => "/tmp/agent.1",
            "NONE_KEY" => "", "ID" => "sk_live_51HabcdEFGH0123456789" }

    assert_equal %w[t0k-X p4ss sk_live_51HabcdEFGH0123456789], Mohs::Secrets.in_environment(env)
  end

  private

  def study(env: {}, variant: {}, **request)
    request = Mohs::App::Request.build(path: "/", **request)
    variant = Mohs::Study::Variant.new(name: "v", ruby: "3.4.5", server: "mock", env: variant)
    Mohs::Study.new(app: "/a", requests: [request], variants: [variant], env:)
  end
end
