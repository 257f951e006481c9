# frozen_string_literal: true

# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sidekiq: two queues, jobs in schedule, retry and dead, and a process in the middle of a job; with
# "reliable" as the second argument the jobs in progress are kept in lists by GitLab's fetcher.
#
# Commands: die (the process is killed), forget (as if its heartbeat had run out), work (another
# process works until the queues are empty), clean (the reliable fetcher's), add (another job), count;
# and what is done to the first entry of a set.

require_relative "scenario"

RELIABLE = ARGV.include?("reliable")
ENV["NAMESPACE"] = Scenario::PREFIX
ENV["RELIABLE"] = "1" if RELIABLE

require_relative "sidekiq_jobs"
require "sidekiq/api"

QUEUE = Scenario::PREFIX.empty? ? "default" : "high.mails"
OTHER = "low"

def work_with(**environment)
  Scenario.start("sidekiq", "--require", File.join(__dir__, "sidekiq_jobs.rb"), "--concurrency",
                 "2", "--timeout", "1", "--queue", QUEUE, "--queue", OTHER, **environment)
end

def push(job, *arguments, **options)
  job.set(queue: QUEUE, **options).perform_async(*arguments)
end

count = lambda do
  {
    queue: QUEUE,
    other: OTHER,
    enqueued: Sidekiq::Queue.new(QUEUE).size,
    other_enqueued: Sidekiq::Queue.new(OTHER).size,
    busy: Sidekiq::Workers.new.count { |_, _, work| work["queue"] == QUEUE },
    working: Sidekiq.redis { |c| c.keys("working:*").sum { |list| c.llen(list) } },
    scheduled: Sidekiq::ScheduledSet.new.size,
    retries: Sidekiq::RetrySet.new.size,
    dead: Sidekiq::DeadSet.new.size,
    processes: Sidekiq::ProcessSet.new(false).map { |process| process["identity"] },
    failed_jid: Sidekiq::RetrySet.new.map(&:jid).min,
    dead_jid: Sidekiq::DeadSet.new.map(&:jid).min,
    processed: Sidekiq::Stats.new.processed
  }
end

forget = lambda do
  Sidekiq.redis do |c|
    c.smembers("processes").each { |id| c.del(id, "#{id}:workers", "#{id}:work") }
    c.del(*c.keys("reliable-fetcher-heartbeat-*"), "reliable-fetcher-cleanup-lock")
  end
end

work = lambda do |*arguments|
  work_with(MENDED: "1")
  Scenario.till("nobody took the jobs") do
    Sidekiq::Queue.all.sum(&:size).zero? && Sidekiq::Workers.new.size.zero?
  end
  Scenario.kill("TERM")
end

push(GreetJob, "Ada")
push(FailingJob, "no such user")
push(FailingJob, "no such template")
push(HopelessJob, "mail server is down")
work_with(HANG: "1")
Scenario.till("jobs did not fail") do
  Sidekiq::RetrySet.new.size == 2 && Sidekiq::DeadSet.new.size == 1
end
# One for each of its threads: from then on it takes nothing.
2.times { push(LongJob) }
Scenario.till("nobody took the long jobs") do
  Sidekiq::Workers.new.size == 2 && (!RELIABLE || count.call[:working] == 2)
end
%w[Alan Barbara Edsger].each { |name| push(GreetJob, name) }
GreetJob.set(queue: OTHER).perform_async("Tony")
GreetJob.set(queue: QUEUE).perform_in(3600, "Grace")
GreetJob.set(queue: OTHER).perform_in(7200, "Donald")

# What an entry of that set is asked, and whose it is.
told = lambda do |set, order|
  entry = set.to_a.select { |job| job.queue == QUEUE }.min_by(&:jid)
  entry.public_send(order)
  { id: entry.jid }
end

# What another process of the reliable fetcher does first.
clean = lambda do
  require "sidekiq-reliable-fetch"
  Sidekiq.logger.level = Logger::WARN # it writes to our output
  Sidekiq::ReliableFetch.new(queues: [QUEUE]).send(:clean_working_queues!)
end

Scenario.serve(count, die: -> { Scenario.kill }, forget: forget, work: work,
                      clean: clean, add: -> { push(GreetJob, "Kurt") },
                      retry: -> { told.call(Sidekiq::RetrySet.new, :retry) },
                      retry_dead: -> { told.call(Sidekiq::DeadSet.new, :retry) },
                      kill_retry: -> { told.call(Sidekiq::RetrySet.new, :kill) },
                      remove_retry: -> { told.call(Sidekiq::RetrySet.new, :delete) },
                      remove_dead: -> { told.call(Sidekiq::DeadSet.new, :delete) },
                      remove_waiting: -> { told.call(Sidekiq::Queue.new(QUEUE), :delete) },
                      remove_scheduled: -> { told.call(Sidekiq::ScheduledSet.new, :delete) },
                      promote: -> { told.call(Sidekiq::ScheduledSet.new, :add_to_queue) })
