# frozen_string_literal: true

module Mohs
  module Probes
    # Makes a server's processes take samples of their stacks (inside/profile.rb); they were told to
    # load the profiler at their start.
    class Profiler
      #: (String, Probes::Inquiry) -> void
      def initialize(folder, inquiry)
        @folder = folder
        @inquiry = inquiry
      end

      # Raises TrialError if none of the processes can take samples: without a profile there is
      # nothing to measure.
      #: (Array[Integer]) -> void
      def start(pids)
        answers = @inquiry.call("profile_start", pids)
        @pids = answers.compact.keys
        return if @pids.any?

        raise TrialError.new("no samples of its stacks can be taken: its processes do not answer",
                             code: "no_profile", state: :invalid)
      end

      # The profile of all processes together; nil if no sample was taken.
      #: () -> Profile?
      def stop
        written = @inquiry.call("profile_stop", @pids).compact.keys
        Profile.parse(written.map { |pid| read(File.join(@folder, "#{pid}.profile")) })
      end

      private

      def read(path)
        File.read(path, encoding: Encoding::UTF_8).scrub("?")
      rescue Errno::ENOENT
        ""
      end
    end
  end
end
