# frozen_string_literal: true

module Mohs
  module Probes
    # CPU time of the threads of a server that compile, recognized by their names, read repeatedly.
    # What a thread used before it ended is kept: a JVM stops compilers that have nothing to do.
    class Compilers
      # names: Rubies::Engines::Base::COMPILERS.
      #: (Regexp, ?proc: String) -> void
      def initialize(names, proc: "/proc")
        @names = names
        @proc = proc
        @ran_ns = {}
      end

      # Nanoseconds so far; nil if no such thread was ever seen, or the kernel doesn't count.
      #: (Array[Integer]) -> Integer?
      def read(pids)
        pids.each { |pid| read_threads("#{@proc}/#{pid}/task") }
        @ran_ns.values.sum unless @ran_ns.empty?
      end

      private

      # JRuby's compiler threads get their names only once they run.
      def read_threads(folder)
        Dir.children(folder).each do |tid|
          path = File.join(folder, tid)
          next unless @ran_ns.key?(path) || text("#{path}/comm").match?(@names)

          ran_ns = text("#{path}/schedstat").to_i
          @ran_ns[path] = ran_ns if ran_ns.positive?
        end
      rescue SystemCallError
        nil # it has just ended
      end

      def text(path)
        File.binread(path)
      rescue SystemCallError
        ""
      end
    end
  end
end
