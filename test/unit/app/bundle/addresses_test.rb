# frozen_string_literal: true

require "test_helper"

module Mohs
  class BundleAddressesTest < TestCase
    Addresses = App::Bundle::Addresses

    # What an address in a Gemfile, a lock or a setting contains => its secrets.
    SECRETS = {
      "source \"https://alice:s3cret@a.dev/\"" => %w[alice:s3cret s3cret],
      "source 'https://t0ken@a.dev'" => %w[t0ken],
      "  remote: https://alice:pa/ssw0rdX@a.dev/\n" => %w[alice:pa/ssw0rdX pa/ssw0rdX alice:pa
                                                          ssw0rdX],
      "https://n0t:in@settings@d.dev/" => %w[n0t:in@settings n0t in@settings],
      "https://a.dev/5eCr3tEntitlementTok3n/acme/ruby/" => %w[5eCr3tEntitlementTok3n],
      "https://a.dev/private/550e8400-e29b-41d4-a716-446655440000/" =>
        %w[550e8400-e29b-41d4-a716-446655440000],
      "https://a.dev/?token=5eCr3t&x=y%20z&sig=a=b;0nly" => %w[5eCr3t y%20z a=b 0nly],
      "git@github.com:a/b https://git@github.com/a/b ssh://git@a.dev/b" => [],
      "https://github.com/acme/a-very-long-name-of-version-2 https://a.dev/?branch=main" => [],
      "source \"file:///tmp/build-20261126-21650-nuz01i/5eCr3tEntitlementTok3n\"" => [],
      "https://rubygems.org/ http://localhost:9292/gems/rack-3.2.8.gem" => [],
    }.freeze

    SECRETS.each do |text, secrets|
      test "secrets of #{text.inspect}" do
        assert_equal secrets, Addresses.secrets(text)
      end
    end

    # What Bundler prints => what is shown, even if the address is in no file that mohs reads.
    SHOWN = {
      "from https://alice:s3cret@a.dev/ (403)" => "from https://[secret]@a.dev/ (403)",
      "bad: \"https://alice:pa/ss@a.dev/\" (x@y)" => "bad: \"https://[secret]@a.dev/\" (x@y)",
      "https://git@tok:x@a.dev/" => "https://[secret]@a.dev/",
      "https://git@a.dev/ http://127.0.0.1:9/x" => "https://git@a.dev/ http://127.0.0.1:9/x",
      "https://a.dev/?token=5eCr3t&b=c" => "https://a.dev/?token=[secret]&b=c",
    }.freeze

    SHOWN.each do |text, shown|
      test "#{text.inspect} as it is shown" do
        assert_equal shown, Addresses.mask(text)
      end
    end
  end
end
