# frozen_string_literal: true

namespace :docs do
  desc "Write docs/servers.md anew (after mohs servers --verify --json > docs/servers.json)"
  task :servers do
    require_relative "../vendor/bundle/bundler/setup"
    $LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
    require "mohs"
    require_relative "support/servers_page"
    page = File.read(Mohs::ServersPage::PAGE, encoding: "UTF-8")
    File.write(Mohs::ServersPage::PAGE, Mohs::ServersPage.committed.in(page))
  end
end
