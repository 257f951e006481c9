# frozen_string_literal: true

# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the scenarios share: see ../python/scenario.py. A scenario uses a real library on the server
# whose unix socket LOCKKEEPER_CLIENT_SOCKET names, under the prefix that is its first argument, and tells in
# lines of JSON what the library itself counts: once everything is set up, and after each command.

require "json"
require "rbconfig"

module Scenario
  SOCKET = ENV.fetch("LOCKKEEPER_CLIENT_SOCKET")
  PREFIX = ARGV.fetch(0, "")
  PATIENCE_S = 30
  @workers = []

  module_function

  def till(what)
    ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE_S
    until yield
      abort "timed out: #{what}" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > ends
      sleep 0.02
    end
  end

  # A worker process of the scenario; gone with it, even if it is killed.
  def start(*command, **environment)
    silent = ENV["SCENARIO_LOUD"] ? {} : { out: File::NULL, err: File::NULL }
    @workers << Process.spawn(environment.transform_keys(&:to_s), "setpriv", "--pdeathsig", "KILL",
                              *command, in: File::NULL, out: File::NULL, **silent)
    @workers.last
  end

  # As a machine that loses its power does it.
  def kill(signal = "KILL")
    @workers.each do |pid|
      Process.kill(signal, pid)
      Process.wait(pid)
    end
    @workers.clear
  end

  def say(values)
    puts JSON.generate(values)
    $stdout.flush
  end

  # count: what the library counts; commands: what else can be asked for.
  def serve(count, **commands)
    say(count.call)
    while (line = $stdin.gets)
      name, *arguments = line.split
      told = commands.fetch(name.to_sym).call(*arguments) unless name == "count"
      say(told.is_a?(Hash) ? count.call.merge(told) : count.call)
    end
  ensure
    kill
  end
end
