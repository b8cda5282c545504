# frozen_string_literal: true

require "test_helper"

# What mohs tells a person to write for a setting, followed to the letter: the server is started by
# its own command, with the file where it says and nothing else of ours.
class OwnSettingsIntegrationTest < Mohs::TestCase
  START = {
    "puma" => %w[-b tcp://HOST:PORT OWN config.ru],
    "unicorn" => %w[-l HOST:PORT OWN config.ru],
    "pitchfork" => %w[-l HOST:PORT OWN config.ru],
    "falcon" => %w[serve --bind http://HOST:PORT OWN --config config.ru],
    "iodine" => %w[-b HOST -p PORT OWN config.ru],
    "agoo" => %w[-s -b http://HOST:PORT OWN config.ru],
    "thin" => %w[start -q -a HOST -p PORT OWN -R config.ru],
    "itsi" => %w[serve -b http://HOST:PORT OWN],
  }.freeze

  # What is seen: workers, and threads of each where they can be told.
  CASES = {
    "puma:1x3" => [1, 3], "puma:2x3" => [2, 3], "unicorn:1" => [1, 1], "unicorn:2" => [2, 1],
    "pitchfork:2" => [2, 1], "falcon:2" => [2, nil], "falcon:1x3" => [1, 3],
    "falcon:2x3" => [2, 3], "iodine:2x3" => [2, 3], "agoo:2" => [2, 1], "thin:1x3" => [1, 3],
    "itsi:1x3" => [1, nil],
  }.freeze

  # A copy of apps/hello that says on another path whether the process that answers has loaded it.
  FILES = { "config.ru" => <<~RUBY }.freeze
    LOADER = Process.pid
    map("/loader") { run ->(_env) { [200, { "content-type" => "text/plain" }, [LOADER.to_s]] } }
    #{File.read(File.join(Mohs.root, 'apps/hello/config.ru'))}
  RUBY

  CASES.each do |text, expected|
    send Mohs::ServerGems.kind(text),
         "a #{text[/\w+/]} that a person starts by what mohs says is #{text}" do
      boot(text) do |server|
        assert_match(%r{\AHTTP/1.1 200 .*Hello}m, server.get)
        assert_equal expected, server.attestation.values_at(:workers, :threads)
      end
    end
  end

  ["puma:2x3", "unicorn:2"].each do |text|
    [true, false].each do |preload|
      place = preload ? "once" : "in each worker"
      test "a #{text} loads the application #{place} as its file says" do
        boot(text, preload:) do |server|
          loaders = Array.new(20) { server.get("/loader")[/\d+\z/].to_i }.uniq

          assert_equal preload ? [server.child.pid] : [], loaders - server.workers
        end
      end
    end
  end

  private

  def boot(text, **options, &block)
    with_files(FILES) do |folder|
      start = START.fetch(text[/\w+/])
      Mohs::ServerProcess.boot(text, folder:, start:, **options, &block)
    end
  end
end
