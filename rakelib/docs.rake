# frozen_string_literal: true

namespace :docs do
  desc "Write docs/studies (FROM=FILE,...: take over documents of mohs repro --json)"
  task :studies do
    require_relative "../vendor/bundle/bundler/setup"
    $LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
    require "mohs"
    require_relative "support/studies_page"
    Mohs::StudiesPage.write(ENV.fetch("FROM", "").split(","))
  rescue Mohs::UsageError => error
    abort error.message
  end

  desc "State claims in the recorded documents as published.yml does now, then write docs/studies"
  task :rejudge do
    require_relative "../vendor/bundle/bundler/setup"
    $LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
    require "mohs"
    require_relative "support/studies_page"
    Mohs::StudiesPage.rejudge
    Mohs::StudiesPage.write([])
  end

  desc "Write docs/servers.md (FROM=FILE: from another document of mohs servers --json)"
  task :servers do
    require_relative "../vendor/bundle/bundler/setup"
    $LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
    require "mohs"
    require_relative "support/servers_page"
    page = Mohs::ServersPage
    from = ENV.fetch("FROM", page::DOCUMENT)
    page.write(JSON.parse(File.read(from, encoding: "UTF-8"), symbolize_names: true))
  end

  desc "Write the tables of options in docs/cli.md"
  task :cli do
    require_relative "../vendor/bundle/bundler/setup"
    $LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
    require "mohs"
    require_relative "support/options_page"
    Mohs::OptionsPage.write
  end
end
