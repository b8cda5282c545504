# frozen_string_literal: true

namespace :stats do
  desc "Compute the tables of Stats::Sequential::Levels (some minutes)"
  task :levels do
    require_relative "../vendor/bundle/bundler/setup"
    $LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
    require_relative "support/crossing"
    levels = Mohs::Stats::Sequential::Levels
    levels::TABLES.each do |looks, table|
      puts looks.join(" ")
      table.each_key do |comparisons|
        level = Crossing.level(levels::ALPHA / comparisons, looks, grid: 320)
        puts "#{comparisons} => #{level.floor(3 - Math.log10(level).ceil)},"
      end
    end
  end
end
