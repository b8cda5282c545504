# frozen_string_literal: true

require "open3"

module Mohs
  # A git repository for a test, made without anything of the user's own configuration.
  class GitRepository
    ENVIRONMENT = {
      "GIT_CONFIG_GLOBAL" => File::NULL, "GIT_CONFIG_NOSYSTEM" => "1", "GIT_DIR" => nil,
      "GIT_AUTHOR_NAME" => "a", "GIT_AUTHOR_EMAIL" => "a@example.org",
      "GIT_COMMITTER_NAME" => "a", "GIT_COMMITTER_EMAIL" => "a@example.org",
    }.freeze

    attr_reader :dir

    #: (String) -> void
    def initialize(dir)
      FileUtils.mkdir_p(dir)
      @dir = dir
      git("init", "--quiet", "--initial-branch=main")
    end

    # Runs git and returns its output. Raises if it fails.
    #: (*String) -> String
    def git(*words)
      output, status = Open3.capture2e(ENVIRONMENT, "git", "-C", @dir, *words)
      raise "git #{words.join(' ')}: #{output}" unless status.success?

      output
    end

    # Writes files into it: { "a/b.rb" => "content" }.
    #: (Hash[String, String]) -> void
    def write(files)
      files.each do |path, content|
        FileUtils.mkdir_p(File.dirname(File.join(@dir, path)))
        File.write(File.join(@dir, path), content)
      end
    end

    # Commits everything that is there, with these files; returns the commit's id.
    #: (?Hash[String, String]) -> String
    def commit(files = {})
      write(files)
      git("add", "--all")
      git("commit", "--quiet", "--message=one more")
      git("rev-parse", "HEAD").strip
    end

    # Every file's path and content, including git's own files.
    #: () -> Hash[String, String]
    def snapshot
      paths = Dir.glob("**/*", File::FNM_DOTMATCH, base: @dir).map { |path| File.join(@dir, path) }
      paths.select { |path| File.file?(path) }.to_h { |path| [path, File.binread(path)] }
    end
  end
end
