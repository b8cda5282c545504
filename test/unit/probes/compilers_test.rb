# frozen_string_literal: true

require "test_helper"

class CompilersTest < Mohs::TestCase
  Compilers = Mohs::Probes::Compilers

  def thread(folder, pid, tid, name, ran_ns)
    path = File.join(folder, pid.to_s, "task", tid.to_s)
    FileUtils.mkdir_p(path)
    File.write(File.join(path, "comm"), "#{name}\n")
    File.write(File.join(path, "schedstat"), "#{ran_ns} 5 7\n")
    path
  end

  def with_threads
    Dir.mktmpdir do |folder|
      thread(folder, 7, 1, "java", 900)
      ended = thread(folder, 7, 2, "C2 CompilerThre", 40)
      thread(folder, 7, 3, "C1 CompilerThre", 30)
      thread(folder, 7, 4, "TruffleCompiler", 2)
      thread(folder, 8, 5, "Ruby-0-JIT-1", 1)
      yield folder, ended, Compilers.new(Mohs::Rubies::Jvm::COMPILERS, proc: folder)
    end
  end

  test "the threads that compile are known by their names, in all processes" do
    with_threads { |_, _, compilers| assert_equal 73, compilers.read([7, 8, 9]) }
  end

  test "what a thread used stays when it has ended, and a new one is added" do
    with_threads do |folder, ended, compilers|
      compilers.read([7, 8])
      FileUtils.rm_r(ended)
      thread(folder, 7, 6, "C2 CompilerThre", 10)
      assert_equal 83, compilers.read([7, 8])
    end
  end

  test "without such a thread, or without the kernel's count, nothing is known" do
    with_threads do |folder, _, compilers|
      assert_nil compilers.read([9])
      thread(folder, 9, 1, "C2 CompilerThre", 0)
      assert_nil compilers.read([9])
    end
  end

  test "both engines on a JVM name their compilers, others have none" do
    engines = Mohs::Rubies::Engines
    assert_equal [Mohs::Rubies::Jvm::COMPILERS] * 2,
                 %w[jruby truffleruby].map { |name| engines.named(name)::COMPILERS }
    assert_nil engines.named("ruby")::COMPILERS
  end
end
