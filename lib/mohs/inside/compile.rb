# frozen_string_literal: true

# Run by the Ruby that an extension is for: compiles the C file ARGV[0] to ARGV[1], with the
# compiler that built this Ruby.
require "rbconfig"
require "shellwords"

source, target = ARGV
config = RbConfig::CONFIG
headers = config.values_at("rubyhdrdir", "rubyarchhdrdir").map { |folder| "-I#{folder}" }
exec(*Shellwords.split(config["CC"]), "-O2", "-fPIC", "-shared", *headers, "-o", target, source)
