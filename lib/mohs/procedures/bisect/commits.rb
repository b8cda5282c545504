# frozen_string_literal: true

module Mohs
  module Bisect
    # The line of commits between two revisions of an application, all served in the same way.
    class Commits
      #: (App::Repository, on: Study::Notation) -> void
      def initialize(repository, on:)
        @repository = repository
        @on = on
      end

      # The points between two revisions as typed: "main", "@v1.2". Raises UsageError.
      #: (String, String) -> Array[Bisect::Point]
      def points(good, bad)
        ids = [good, bad].map { |name| @repository.commit(name.delete_prefix("@")) }
        raise UsageError, "#{good} and #{bad} are one commit: there is nothing to find." \
          if ids.uniq.one?

        @repository.line(*ids).map { |commit| point(commit) }
      end

      private

      def point(commit)
        id, short, date, subject = commit.fetch_values(:id, :short, :date, :subject)
        notation = Study::Notation.new(**@on.to_h, label: short, revision: "@#{short}")
        Point.new(name: short, id:, title: subject, date:, notation:)
      end
    end
  end
end
