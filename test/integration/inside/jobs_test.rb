# frozen_string_literal: true

require "test_helper"

# lib/mohs/inside/jobs_page.rb in other processes, under every Ruby that starts here, with stand-ins
# for the libraries whose own API it uses: they run a job on a thread, after its arguments have
# become JSON and what they were again.
class InsideJobsPageTest < Mohs::TestCase
  PAGE = File.join(Mohs.root, "lib/mohs/inside/jobs_page.rb")
  START_S = 60

  LIBRARY = <<~'RUBY'
    module Performed
      def self.included(job)
        job.extend(Enqueued)
      end

      module Enqueued
        def perform_async(*arguments)
          text = Marshal.dump([name, arguments])
          Thread.new do
            name, arguments = Marshal.load(text)
            Object.const_get(name).new.perform(*arguments)
          end
          "id"
        end
      end
    end
  RUBY

  LIBRARIES = {
    "sidekiq" => "module Sidekiq; Job = Performed; Client = 1; end",
    "litejob" => "Litejob = Performed",
    "sidekiq before 6.3" => "module Sidekiq; Worker = Performed; Client = 1; end",
  }.freeze

  # Asks as the server's Rack would, twice at once.
  SCRIPT = <<~'RUBY'
    page = MohsJobs::Page.new(nil)
    ask = lambda do |query|
      status, _headers, body = page.call("PATH_INFO" => MohsJobs::PATH, "QUERY_STRING" => query)
      puts [status, *body].join(" ")
    end
    ask.call("count=0")
    ask.call("count=30")
    Array.new(2) { Thread.new { ask.call("count=20") } }.each(&:join)
  RUBY

  def answers(ruby, library)
    with_files do |folder|
      # Without Rack: the variable that would ask for it is set behind.
      loads = ["require #{PAGE.dump}", "ENV['MOHS_JOBS'] = #{folder.dump}"]
      File.write(script = "#{folder}/script.rb", [LIBRARY, library, *loads, SCRIPT].join("\n"))
      env = { "MOHS_JOBS_LIMIT_S" => "30" }
      result = Mohs::Process::Capture.call(ruby.command(script:, env:), timeout_s: START_S)
      assert_empty Dir.children(folder) - ["script.rb"], result.stderr
      return result.stdout.lines(chomp: true)
    end
  end

  def self.daily?(ruby) = ruby.engine == "ruby" || ruby.name.start_with?("jruby-10")

  # All of them under the Ruby of the tests, one under each other; of those that boot slowly one is
  # enough each day.
  Mohs::Rubies.all.reject { |ruby| ruby.state == :broken }.each do |ruby|
    LIBRARIES.first(ruby.version == RUBY_VERSION ? LIBRARIES.size : 1).each do |name, library|
      public_send(daily?(ruby) ? :test : :slow_test,
                  "#{ruby.name}: #{name} runs batches, also two at once") do
        batch = "200 jobs that ran once: %d"

        assert_equal ["200 #{name[/\w+/]}", format(batch, 30), *[format(batch, 20)] * 2],
                     answers(ruby, library)
      end
    end
  end
end
