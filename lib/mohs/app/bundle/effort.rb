# frozen_string_literal: true

require "etc"

module Mohs
  class App
    class Bundle
      # How long an installation is likely to take, for the estimated time of a run. The time to
      # compile is known only for gems in COMPILE_S.
      module Effort
        # Starting Bundler twice, to resolve and to install.
        START_S = 3.0

        # A gem to fetch and unpack, or to copy.
        FETCH_S = 0.3
        COPY_S = 0.05

        # CPU seconds for gems that compile, scaled from installations on a busy host to the idle
        # host of docs/calibration.md; rugged and those of databases, of JSON and of events as
        # measured one by one on 2026-11-29. Other gems with extensions take less than two seconds.
        COMPILE_S = {
          "sassc" => 100, "rugged" => 83, "prism" => 35, "nokogiri" => 25, "oj" => 25,
          "eventmachine" => 15, "bigdecimal" => 11, "date" => 11, "json" => 11, "ox" => 10,
          "ffi" => 9, "raindrops" => 9, "kgio" => 8, "openssl" => 8, "mysql2" => 7,
          "trilogy" => 7, "msgpack" => 6, "sqlite3" => 6, "rbs" => 6, "io-event" => 5,
          "nio4r" => 4, "io-console" => 4, "puma" => 4, "psych" => 3, "redcarpet" => 3,
          "unicorn" => 3,
        }.freeze

        # Without a lock, what an application needs is unknown: this covers a server and its
        # dependencies.
        UNKNOWN_S = 20.0

        # fetch, copy: names of gems; precompiled: those to be fetched that come compiled.
        #: (fetch: Array[String], copy: Array[String], ?precompiled: Array[String], ?cores: Integer) -> Float
        def self.seconds(fetch:, copy:, precompiled: [], cores: Etc.nprocessors)
          compiling = COMPILE_S.values_at(*(fetch - precompiled)).compact.sum.fdiv(cores)
          START_S + (fetch.size * FETCH_S) + (copy.size * COPY_S) + compiling
        end

        # Of a gem that has been compiled for so long: its seconds of the whole, and those that have
        # passed of them, as it has one of the cores.
        #: (String, Numeric, ?cores: Integer) -> [Float, Float]
        def self.under_way(gem, seconds, cores: Etc.nprocessors)
          [FETCH_S + COMPILE_S.fetch(gem, 0).fdiv(cores), seconds.fdiv(cores)]
        end
      end
    end
  end
end
