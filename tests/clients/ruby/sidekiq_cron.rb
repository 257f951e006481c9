# frozen_string_literal: true

# SPDX-License-Identifier: GPL-3.0-or-later
#
# sidekiq-cron: two schedules, one of which has enqueued its job.
#
# Commands: count.

require_relative "scenario"

ENV["NAMESPACE"] = Scenario::PREFIX

require_relative "sidekiq_jobs"
require "sidekiq-cron"

Sidekiq.logger.level = Logger::WARN # it writes to our output

hourly = Sidekiq::Cron::Job.create(name: "hourly greeting", cron: "0 * * * *", class: "GreetJob",
                                   args: ["Ada"])
Sidekiq::Cron::Job.create(name: "report", cron: "0 3 * * *", class: "GreetJob", status: "disabled")
abort "it was not created" unless hourly
Sidekiq::Cron::Job.find("hourly greeting").enque!

Scenario.serve(lambda do
  { jobs: Sidekiq::Cron::Job.all.map(&:name).sort, enqueued: Sidekiq::Queue.new("default").size }
end)
