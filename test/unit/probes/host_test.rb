# frozen_string_literal: true

require "test_helper"

# The host's facts, read from made-up trees as other machines have them.
class HostTest < Mohs::TestCase
  CPUINFO = <<~TEXT
    processor\t: 0
    model name\t: AMD EPYC 7B13
    flags\t\t: fpu vme hypervisor avx2

    processor\t: 1
    model name\t: AMD EPYC 7B13
    flags\t\t: fpu vme hypervisor avx2
  TEXT
  ARM = "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd hypervisor_not_a_flag\n"
  FILES = {
    "proc/cpuinfo" => CPUINFO, "proc/sys/kernel/osrelease" => "6.1.0-21-amd64\n",
    "proc/meminfo" => "MemTotal:        8131424 kB\nMemFree:          211424 kB\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor" => "schedutil\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource" => "tsc\n",
  }.freeze

  test "what kind of machine it is" do
    assert_equal({ cpu: "AMD EPYC 7B13", memory_bytes: 8_131_424 * 1024, kernel: "6.1.0-21-amd64",
                   virtual: true, governor: "schedutil", clock_source: "tsc",
                   cores: Mohs::Process::CpuSet.available.size }, fingerprint(FILES))
  end

  test "a machine of its own is not virtual" do
    refute fingerprint(FILES.merge("proc/cpuinfo" => CPUINFO.gsub("hypervisor ", "")))[:virtual]
  end

  test "an ARM names no model and knows no governor: the rest is there, what is unknown is not" do
    found = fingerprint(FILES.reject { |path, _| path.include?("governor") }
                             .merge("proc/cpuinfo" => ARM))

    assert_equal %i[clock_source cores kernel memory_bytes virtual], found.keys.sort
    refute found[:virtual]
  end

  test "a container that hides all of it still has a fingerprint" do
    assert_operator fingerprint({})[:cores], :>, 0
  end

  test "what this machine says survives JSON" do
    found = Mohs::Probes::Host.fingerprint

    assert_equal found, JSON.parse(JSON.generate(found), symbolize_names: true)
    assert_operator found[:memory_bytes], :>, 2**20
    assert_match(/\A\d+\.\d+/, found[:kernel])
  end

  private

  def fingerprint(files)
    with_files(files) do |folder|
      return Mohs::Probes::Host.fingerprint(proc: "#{folder}/proc", sys: "#{folder}/sys")
    end
  end
end
