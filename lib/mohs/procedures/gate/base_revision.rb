# frozen_string_literal: true

module Mohs
  module Gate
    # The revision that a change is compared with, if the user names none: the commit at which it
    # branched off the branch that it is to be merged into, which CI services name in a variable.
    class BaseRevision
      # GitLab names the merge base itself.
      COMMIT = "CI_MERGE_REQUEST_DIFF_BASE_SHA"

      # The target branch of a pull request, on GitHub, GitLab and Buildkite.
      BRANCHES = %w[GITHUB_BASE_REF CI_MERGE_REQUEST_TARGET_BRANCH_NAME
                    BUILDKITE_PULL_REQUEST_BASE_BRANCH].freeze

      # The default branch, on GitLab and Buildkite.
      DEFAULTS = %w[CI_DEFAULT_BRANCH BUILDKITE_PIPELINE_DEFAULT_BRANCH].freeze

      REMOTE = "origin"
      USUAL = %w[main master].freeze

      # `commit`: its full id; `name`: what people call it ("main"; nil if only by its id);
      # `reason`: why this commit was chosen.
      Found = Struct.new(:commit, :name, :reason, keyword_init: true)

      # outputs: files that a gate writes, which are no changes of the user's.
      #: (App::Repository, ?outputs: Array[String], ?env: Hash[String, String]) -> void
      def initialize(repository, outputs: [], env: ENV.to_h)
        @repository = repository
        @outputs = outputs
        @env = env
      end

      # typed: the user's choice. head: the newer revision; nil: the folder as it is. Raises
      # UsageError.
      #: (String?, ?head: String?) -> Gate::BaseRevision::Found
      def call(typed, head: nil)
        return found(typed, typed, "as asked") if typed

        id = given(COMMIT)
        return found(id, given(BRANCHES[1]), COMMIT) if id && @repository.commit?(id)

        common(*branch, head)
      end

      private

      def given(name) = @env[name].then { |value| value unless value.to_s.empty? }

      def found(revision, name, reason)
        name = nil if name == revision && revision.match?(/\A\h{7,}\z/)
        Found.new(commit: @repository.commit(revision.delete_prefix("@")),
                  name: name&.delete_prefix("@"), reason:).freeze
      end

      # In a CI service's clone, a branch exists only as the remote's; elsewhere, the local branch
      # may be behind the remote's.
      def branch
        variable = BRANCHES.find { |name| given(name) }
        return [there(given(variable)) || missing(given(variable)), variable] if variable

        names = [*DEFAULTS.filter_map { |name| given(name) }, @repository.default_branch, *USUAL]
        name = names.compact.filter_map { |one| there(one) }.first
        [name || unnamed, "the default branch"]
      end

      def there(name) = ["#{REMOTE}/#{name}", name].find { |one| @repository.commit?(one) }

      # If nothing has been committed since the base, the commit before it is the older revision:
      # this is a push to the branch itself.
      def common(branch, reason, head)
        newer = @repository.commit((head || "HEAD").delete_prefix("@"))
        base = @repository.merge_base(branch, newer) or raise UsageError, apart(branch)
        name = branch.delete_prefix("#{REMOTE}/")
        reason = "the merge base; #{reason}" unless base == @repository.commit(branch)
        return Found.new(commit: base, name:, reason:).freeze unless base == newer && clean?(head)

        Found.new(commit: parent(newer), name: nil, reason: "the commit before").freeze
      end

      # Files that a CI service has put into the folder are not changes of the user's.
      def clean?(head) = head || given("CI") || @repository.changes(besides: @outputs).zero?

      def parent(commit)
        before = "#{commit}~1"
        return @repository.commit(before) if @repository.commit?(before)

        raise UsageError, "there is no commit before #{commit[0, 12]} to compare it with. #{hint}"
      end

      def missing(name)
        raise UsageError, "the branch #{name} is not in this clone. #{hint}"
      end

      # If there is no repository, that is the error to report.
      def unnamed
        @repository.commit("HEAD")
        raise UsageError, "there is no branch #{USUAL.join(' or ')} here. #{hint}"
      end

      def apart(branch) = "HEAD has no commit in common with #{branch} here. #{hint}"

      def hint
        return "Name the older revision: --base REV" unless @repository.shallow?

        "The clone is shallow: fetch the whole history (git fetch --unshallow; in a workflow " \
          "fetch-depth: 0; GitLab GIT_DEPTH: 0)"
      end
    end
  end
end
