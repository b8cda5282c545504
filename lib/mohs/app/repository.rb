# frozen_string_literal: true

require "fileutils"

module Mohs
  class App
    # What git knows about an application's folder, which may be anywhere in its repository. Only
    # reads: it adds no worktree and leaves the index alone.
    class Repository
      TIMEOUT_S = 60
      # Checking out a large repository may fetch its large files (LFS).
      CHECK_OUT_S = 900

      # In a git hook, the variables set to nil would point to a repository other than the folder's.
      # The last two entries keep git from asking for a password and from refreshing the user's
      # index.
      ENV = {
        **%w[GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR GIT_PREFIX
             GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE].to_h { |name| [name, nil] },
        "LC_ALL" => "C", "GIT_TERMINAL_PROMPT" => "0", "GIT_OPTIONAL_LOCKS" => "0",
      }.freeze

      # Keeps git from running the user's hooks and from writing parts of an index to their
      # repository.
      APART = %w[core.hooksPath=/dev/null core.splitIndex=false core.fsmonitor=false]
              .flat_map { |setting| ["-c", setting] }.freeze

      # The reason for a failure, which advice may follow.
      FATAL = /^(?:fatal|error): .*/

      # How many of the known names an error message shows.
      SHOWN = 10

      #: (String) -> void
      def initialize(dir)
        @dir = dir
      end

      # Full id of the commit called `name` (a branch, tag, id, "HEAD~2"). Raises UsageError with
      # the nearest name if there is none.
      #: (String) -> String
      def commit(name)
        must_be_there(name)
        found = parsed(name)
        return found.stdout.strip if found&.success?
        raise UsageError, "the git repository of #{@dir} has no commits yet: git commit first" \
          unless commit?("HEAD") || git!("rev-list", "--all", "--max-count=1").strip != ""

        raise UsageError, "@#{name} is not a revision of #{@dir}. #{hint(name)}"
      end

      # Does a commit of this name exist? False if the folder is not in a repository.
      #: (String) -> bool
      def commit?(name) = File.directory?(@dir) && !!parsed(name)&.success?

      # `name`; or the same revision of the default branch's other usual name (main, master) if only
      # that branch exists.
      #: (String) -> String
      def meant(name)
        branch = name[/\A(?:main|master)(?=[~^]|\z)/] or return name
        other = name.sub(branch, branch == "main" ? "master" : "main")
        !commit?(branch) && commit?(other[/\A\w+/]) ? other : name
      end

      # Paths of all files at `commit`, relative to the application's folder.
      #: (String) -> Array[String]
      def files(commit) = git!("ls-tree", "-r", "-z", "--name-only", commit).split("\0")

      # The commits from `good` (a full id) to `bad`, both included, along first parents: a merge is
      # one commit, whatever it brought in. Raises UsageError if `bad` is not such a descendant of
      # `good`.
      #: (String, String) -> Array[{ id: String, short: String, date: String, subject: String }]
      def line(good, bad)
        line = log(good, "--max-count=1") + log("#{good}..#{bad}", "--reverse")
        return line.map { |one| one.except(:parent) } if line.size > 1 && line[1][:parent] == good

        raise UsageError, "#{bad[0, 12]} is not a descendant of #{good[0, 12]} along first " \
                          "parents, so there are no commits between them to search. " \
                          "See git log --first-parent #{bad[0, 12]}."
      end

      # The commit that is checked out in the folder, and how many files differ from it; nil without
      # a repository, a commit or git.
      #: () -> { id: String, short: String, date: String, title: String, changes: Integer }?
      def head
        return unless commit?("HEAD")

        found = log("HEAD", "--max-count=1").first
        { **found.slice(:id, :short, :date), title: found[:subject], changes: }
      rescue EnvironmentError
        nil
      end

      # Full id of the latest common ancestor of both; nil if there is none, or if it was not
      # fetched.
      #: (String, String) -> String?
      def merge_base(one, other)
        found = git("merge-base", commit(one), commit(other))
        found.stdout.strip if found.success?
      end

      # The default branch of the remote that the repository was cloned from ("origin/main"); nil if
      # that is not recorded.
      #: () -> String?
      def default_branch
        found = git("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
        found.stdout.strip if found.success?
      end

      # Does the repository lack older commits? Clones made by CI services usually do.
      #: () -> bool
      def shallow? = git("rev-parse", "--is-shallow-repository").stdout.strip == "true"

      # How many files differ from the last commit. besides: absolute paths that don't count.
      #: (?besides: Array[String]) -> Integer
      def changes(besides: [])
        here = "#{File.expand_path(@dir)}/"
        left = besides.select { |path| path.start_with?(here) }
                      .map { |path| ":(exclude,literal)#{path.delete_prefix(here)}" }
        git!("status", "--porcelain", "--untracked-files=normal", "--", ".", *left).lines.size
      end

      # Files in the application's folder that match `patterns` and are not in git, ignored or not.
      #: (Array[String]) -> Array[String]
      def untracked(patterns)
        globs = patterns.map { |pattern| ":(glob)#{pattern}" }
        git!("ls-files", "-z", "--others", "--", *globs).split("\0")
      end

      # Name of the repository's folder, and the path of the application's folder relative to it.
      #: () -> [String, String]
      def place
        top, prefix = git!("rev-parse", "--show-toplevel", "--show-prefix").lines(chomp: true)
        [File.basename(top), prefix.to_s]
      end

      # Writes the files of the whole repository at `commit` to the new folder `folder`, which is a
      # repository too, because gemspecs ask git for their files. It borrows the objects of the
      # user's repository. That repository's settings and filters (LFS, git-crypt) apply, but its
      # hooks do not.
      #: (String, String) -> void
      def check_out(commit, folder)
        git_dir, objects, format = git!("rev-parse", "--absolute-git-dir", "--git-path", "objects",
                                        "--show-object-format").lines(chomp: true)
        git!("init", "--quiet", "--template=", "--object-format=#{format}", folder)
        own = File.join(folder, ".git")
        File.write("#{own}/objects/info/alternates", "#{File.expand_path(objects, @dir)}\n")
        git!("--git-dir=#{own}", "update-ref", "--no-deref", "HEAD", commit)
        git!(*APART, "--git-dir=#{git_dir}", "--work-tree=#{folder}", "read-tree",
             "--reset", "-u", commit,
             env: { "GIT_INDEX_FILE" => File.join(own, "index") }, timeout_s: CHECK_OUT_S)
      end

      private

      # git also refuses a repository owned by another user, and its message says what to do.
      def must_be_there(name)
        result = git("rev-parse", "--show-toplevel")
        return if result.success?
        raise UsageError, "#{@dir} is not in a git repository: @#{name} needs one." \
          if result.stderr.include?("not a git repository")

        raise EnvironmentError, "git can't read #{@dir}: #{result.stderr.strip}"
      end

      def parsed(name)
        git("rev-parse", "--verify", "--quiet", "#{name}^{commit}") unless bad?(name)
      end

      # git would read these names as options, or as something other than one commit.
      def bad?(name) = name.empty? || name.start_with?("-") || name.match?(/[\s:]|\.\./)

      def hint(name)
        meant = meant(name)
        return "Did you mean @#{meant}?" unless meant == name

        # Local names first.
        names = %w[refs/heads refs/tags refs/remotes].flat_map do |kind|
          git!("for-each-ref", "--format=%(refname:short)", kind).lines(chomp: true)
        end
        known = "Known: #{Wording.few(['HEAD', *names], SHOWN)}."
        Suggest.hint(name, names, otherwise: known) { |near| "@#{near}" }
      end

      # In a fixed format, whatever the user has configured for git log.
      def log(range, *options)
        form = "--format=%H%x00%P%x00%h%x00%cs%x00%s"
        commits = git!("-c", "log.showSignature=false", "log", "--first-parent", "--no-color",
                    "--encoding=UTF-8", form, *options, range, "--")
        commits.lines(chomp: true).map do |text|
          id, parents, short, date, subject = text.split("\0", 5)
          { id:, parent: parents[/\S+/], short:, date:, subject: }
        end
      end

      def git(*words, env: {}, timeout_s: TIMEOUT_S)
        command = Process::Command.new(argv: ["git", "-C", @dir, *words], env: { **ENV, **env })
        result = Process::Capture.call(command, timeout_s:)
        return result unless [126, 127].include?(result.status.code)

        raise EnvironmentError, "git can't be run: #{result.stderr.strip}. Install git, or leave " \
                                "out variants that begin with @."
      end

      # The output of git. Raises EnvironmentError if git fails.
      def git!(*words, **options)
        result = git(*words, **options)
        return result.stdout if result.success?

        why = result.stderr[FATAL] || result.stderr.lines.last.to_s.strip
        why = "timed out" if result.timed_out
        verb = words.grep(/\A[a-z]+-?[a-z]+\z/).first
        raise EnvironmentError, "git #{verb} failed in #{@dir}: #{why}"
      end
    end
  end
end
