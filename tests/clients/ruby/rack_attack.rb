# frozen_string_literal: true

# SPDX-License-Identifier: GPL-3.0-or-later
#
# rack-attack: two clients of a throttled path, and one that Fail2Ban has banned.
#
# Commands: count, hit (another request of the first client), reset (its count), unban (the third).

require_relative "scenario"

require "redis"
require "rack"
require "rack/attack"

LIMIT = 5
PERIOD_S = 3600
BAN = { maxretry: 2, findtime: 3600, bantime: 3600 }.freeze

Rack::Attack.cache.store = Redis.new(path: Scenario::SOCKET)
Rack::Attack.cache.prefix = "#{Scenario::PREFIX}rack::attack" unless Scenario::PREFIX.empty?
Rack::Attack.throttle("logins/ip", limit: LIMIT, period: PERIOD_S) { |request| request.ip }
Rack::Attack.blocklist("scanners") do |request|
  Rack::Attack::Fail2Ban.filter("scan-#{request.ip}", **BAN) do
    request.path.include?("/wp-admin")
  end
end

APP = Rack::Attack.new(->(_) { [200, {}, ["fine"]] })
ANSWERS = Hash.new { |all, ip| all[ip] = [] }

def hit(address, path = "/login")
  environment = Rack::MockRequest.env_for(path, "REMOTE_ADDR" => address)
  ANSWERS[address] << APP.call(environment).first
  ANSWERS[address].last
end

7.times { hit("192.0.2.1") }
2.times { hit("192.0.2.2") }
3.times { hit("192.0.2.3", "/wp-admin") }

Scenario.serve(
  -> { { limit: LIMIT, period_s: PERIOD_S, answers: ANSWERS, now_s: Time.now.to_i } },
  hit: -> { hit("192.0.2.1") },
  reset: -> { Rack::Attack.cache.reset_count("logins/ip:192.0.2.1", PERIOD_S) },
  unban: -> { Rack::Attack::Fail2Ban.reset("scan-192.0.2.3", **BAN) }
)
