# frozen_string_literal: true

module Mohs
  class App
    # Which Ruby an application asks for. The version managers' files take precedence over the
    # Gemfile, as they do in a shell.
    module WantedRuby
      # Where Bundler records the Ruby that it resolved the gems with.
      LOCK = "Gemfile.lock"
      # `ruby "3.4.5"`; requirements like ">= 3.1" don't name a Ruby.
      GEMFILE = /^\s*ruby[\s(]+["'](?:=\s*)?(\d+\.\d+(?:\.\d+)?)["'](?!.*engine)/
      # `ruby "3.1.4", engine: "jruby", engine_version: "9.4.14.0"`
      GEMFILE_ENGINE = /^\s*ruby\b.*engine:\s*["'](\w+)["'].*engine_version:\s*["']([\d.]+)["']/

      module_function

      # [version, the file that names it], or [nil, nil]. Each argument is a file's text, "" if
      # there is no such file.
      #: (?ruby_version: String, ?tool_versions: String, ?mise: String, ?gemfile: String, ?lock: String) -> [String?, String?]
      def find(ruby_version: "", tool_versions: "", mise: "", gemfile: "", lock: "")
        found = {
          ".ruby-version" => ruby_version[/^\s*(?!#)(\S+)/, 1],
          ".tool-versions" => tool_versions[/^\s*ruby\s+(\S+)/, 1],
          "mise.toml" => mise[/^\s*ruby\s*=\s*["']([^"']+)["']/, 1],
          "Gemfile" => gemfile.match(GEMFILE_ENGINE)&.captures&.join("-") || gemfile[GEMFILE, 1],
          LOCK => locked(lock),
        }
        source, version = found.find { |_, name| name && name != "system" }
        [version&.delete_prefix("ruby-"), source]
      end

      def locked(lock)
        found = Bundle::Lockfile.ruby(lock) or return
        engine = found.values_at(:engine, :engine_version)
        engine.all? ? engine.join("-") : found[:version]
      end
      private_class_method :locked
    end
  end
end
