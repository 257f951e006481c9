# frozen_string_literal: true

# SPDX-License-Identifier: GPL-3.0-or-later
#
# The job classes of sidekiq.rb, as its worker processes load them.

require "sidekiq"
require "sidekiq/launcher"

REDIS = { url: "unix://#{ENV.fetch('LOCKKEEPER_CLIENT_SOCKET')}" }
REDIS[:namespace] = ENV["NAMESPACE"] unless ENV.fetch("NAMESPACE", "").empty?

Sidekiq.configure_client { |config| config.redis = REDIS }
Sidekiq.configure_server do |config|
  config.redis = REDIS
  # What is in progress and what was processed is written with the heartbeat: not every five seconds.
  Sidekiq::Launcher.send(:remove_const, :BEAT_PAUSE)
  Sidekiq::Launcher.const_set(:BEAT_PAUSE, 0.5)
  if ENV["RELIABLE"]
    require "sidekiq-reliable-fetch"
    config.options[:semi_reliable_fetch] = false
    Sidekiq::ReliableFetch.setup_reliable_fetch!(config)
  end
end

class GreetJob
  include Sidekiq::Worker

  def perform(name); end
end

class FailingJob
  include Sidekiq::Worker
  sidekiq_options retry: 5
  sidekiq_retry_in { 3600 }

  def perform(why)
    raise ArgumentError, why unless ENV["MENDED"]
  end
end

class HopelessJob
  include Sidekiq::Worker
  sidekiq_options retry: 0

  def perform(why)
    raise ArgumentError, why unless ENV["MENDED"]
  end
end

class ProveJob
  include Sidekiq::Worker

  def perform(*arguments)
    Sidekiq.redis { |c| c.rpush("proof", Sidekiq.dump_json(arguments)) }
  end
end

class LongJob
  include Sidekiq::Worker

  # The worker that is to die takes its time; the one that comes after it does not.
  def perform
    sleep 600 if ENV["HANG"]
  end
end
