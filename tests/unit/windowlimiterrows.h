// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "limiterrows.h"

namespace lk::test {

/// Limiters that count requests in windows of time, and gates.
inline std::vector<Row> windowLimiters()
{
    return {
        {"limits, fixed window", "limits-fixed-window", "LIMITER/u7/index/5/1/minute",
         [](FakeKeys& k) { k.string("LIMITER/u7/index/5/1/minute", "5", 41'000); }, 5, 5, minute, 0,
         41'000},
        {"limits, another namespace and prefix", "limits-fixed-window", "LIMITS:shop/u7/20/2/hour",
         [](FakeKeys& k) { k.string("LIMITS:shop/u7/20/2/hour", "3", 41'000); }, 3, 20,
         2 * 60 * minute, 17, 0},
        {"rate-limiter-flexible", "rate-limiter-flexible", "rlflx:u7",
         [](FakeKeys& k) { k.string("rlflx:u7", "4", 900); }, 4},
        {"rate-limiter-flexible with a key prefix", "rate-limiter-flexible", "app:rlflx:u7",
         [](FakeKeys& k) { k.string("app:rlflx:u7", "4", 900); }, 4},
        {"upstash, fixed window",
         "upstash-fixed-window",
         "@upstash/ratelimit:u7",
         [](FakeKeys& k) { k.string("@upstash/ratelimit:u7:" + bucket, "4", left + 20'000); },
         4,
         {},
         minute},
        {"upstash, fixed window, dynamic limit", "upstash-fixed-window", "@upstash/ratelimit:u7",
         [](FakeKeys& k) {
             k.string("@upstash/ratelimit:u7:" + bucket, "4", left + 20'000);
             k.string("@upstash/ratelimit:dynamic:global", "10");
         },
         4, 10, minute, 6, 0},
        {"throttled-py, fixed window",
         "throttled-py-fixed-window",
         "throttled:v1:fixed_window:u7",
         [](FakeKeys& k) {
             k.string("throttled:v1:fixed_window:u7:period:" + bucket, "4", left + 20'000);
         },
         4,
         {},
         minute},
        {"ulule/limiter", "ulule-limiter", "limiter:u7",
         [](FakeKeys& k) { k.string("limiter:u7", "4", 900); }, 4},
        {"envoy, a minute",
         "envoy-ratelimit",
         "edge_remote_address_10.0.0.7",
         [](FakeKeys& k) {
             k.string("edge_remote_address_10.0.0.7_1795223340", "9", 55'000 + 120'000);
         },
         9,
         {},
         minute},
        {"envoy, an hour",
         "envoy-ratelimit",
         "edge_path_/api",
         [](FakeKeys& k) { k.string("edge_path_/api_1795222800", "9", 3'590'000); },
         9,
         {},
         60 * minute},
        {"a time in a name that starts no window", "", "",
         [](FakeKeys& k) { k.string("backup_size_1795223341", "9", 55'000); }},
        {"Kong",
         "kong-rate-limiting",
         "ratelimit:0d9a3a39-1d2c-4d6e-9b55-0a1b2c3d4e5f:00000000-0000-0000-0000-000000000000:"
         "10.0.0.7:minute",
         [](FakeKeys& k) {
             k.string("ratelimit:0d9a3a39-1d2c-4d6e-9b55-0a1b2c3d4e5f:00000000-0000-0000-0000-"
                      "000000000000:10.0.0.7:1795223340000:minute",
                      "9", 50'000);
         },
         9,
         {},
         minute},
        {"rack-attack",
         "rack-attack",
         "rack::attack:logins/ip:10.0.0.7",
         [](FakeKeys& k) {
             k.string("rack::attack:" + bucket + ":logins/ip:10.0.0.7", "4", left + 1000);
         },
         4,
         {},
         minute},
        {"rack-attack with a cache namespace",
         "rack-attack",
         "shop:rack::attack:req/ip:10.0.0.7",
         [](FakeKeys& k) {
             k.string("shop:rack::attack:" + QByteArray::number(now / 300'000) + ":req/ip:10.0.0.7",
                      "4", 300'000 - now % 300'000 + 1000);
         },
         4,
         {},
         300'000},
        {"rack-attack, another cache prefix",
         "rack-attack",
         "guard:logins/ip:10.0.0.7",
         [](FakeKeys& k) { k.string("guard:" + bucket + ":logins/ip:10.0.0.7", "4", left + 1000); },
         4,
         {},
         minute},
        {"an order's number that counts no windows", "", "",
         [](FakeKeys& k) { k.string("shop:29920312:views:7", "4", 30'000); }},
        {"Rails", "rails-rate-limit", "rate-limit:sessions:10.0.0.7",
         [](FakeKeys& k) { k.string("rate-limit:sessions:10.0.0.7", "4", 900); }, 4},
        {"Laravel", "laravel-rate-limiter", "laravel_cache:9f86d081884c7d65",
         [](FakeKeys& k) {
             k.string("laravel_cache:9f86d081884c7d65", "4", 41'000);
             k.string("laravel_cache:9f86d081884c7d65:timer", "1795223391", 41'000);
         },
         4},
        {"a timer that is none", "", "",
         [](FakeKeys& k) {
             k.string("kitchen", "4", 41'000);
             k.string("kitchen:timer", "1795229999", 41'000);
         }},
        {"Laravel Redis::throttle",
         "laravel-throttle",
         "laravel_database_mails",
         [](FakeKeys& k) {
             k.hash("laravel_database_mails",
                    {{"start", "1795223340"}, {"end", "1795223400"}, {"count", "12"}}, 100'000);
         },
         12,
         {},
         minute},
        {"a hash with a start and an end", "", "",
         [](FakeKeys& k) {
             k.hash("booking:7", {{"start", "9"}, {"end", "17"}, {"count", "12"}}, 100'000);
         }},
        {"django-ratelimit", "django-ratelimit", ":1:rl:" + QByteArray(64, 'a'),
         [](FakeKeys& k) { k.string(":1:rl:" + QByteArray(64, 'a'), "4", 900); }, 4},
        {"rate-limit-redis", "rate-limit-redis", "rl:10.0.0.7",
         [](FakeKeys& k) { k.string("rl:10.0.0.7", "4", 900); }, 4},
        {"fastify", "fastify-rate-limit", "fastify-rate-limit-10.0.0.7",
         [](FakeKeys& k) { k.string("fastify-rate-limit-10.0.0.7", "4", 900); }, 4},
        {"NestJS", "nestjs-throttler", nest + ":hits",
         [](FakeKeys& k) { k.string(nest + ":hits", "4", 900); }, 4},
        {"NestJS, blocked",
         "nestjs-throttler",
         nest + ":hits",
         [](FakeKeys& k) {
             k.string(nest + ":hits", "4", 900);
             k.string(nest + ":blocked", "1", 70'000);
         },
         4,
         {},
         {},
         0,
         70'000},
        {"a page's hits", "", "", [](FakeKeys& k) { k.string("{post:7}:hits", "4", 90'000); }},
        {"a metric of each minute", "", "",
         [](FakeKeys& k) { k.string("views_1795223340", "9", 90'000); }},
        {"fastapi-limiter", "fastapi-limiter", "fastapi-limiter:10.0.0.7:/items",
         [](FakeKeys& k) { k.string("fastapi-limiter:10.0.0.7:/items", "4", 900); }, 4},
        {"dramatiq bucket",
         "dramatiq-bucket",
         "mails",
         [](FakeKeys& k) { k.string("mails@1795223340000", "4", 55'000); },
         4,
         {},
         minute},
        {"LiteLLM",
         "litellm-requests",
         "{api_key:5f2c}:requests",
         [](FakeKeys& k) {
             k.string("{api_key:5f2c}:requests", "4", 41'000);
             k.string("{api_key:5f2c}:window", "1795223331", 41'000);
         },
         4,
         {},
         minute},
        {"APISIX limit-count",
         "apisix-limit-count",
         "plugin-limit-count:route1:10.0.0.7",
         [](FakeKeys& k) { k.string("plugin-limit-count:route1:10.0.0.7", "3", 41'000); },
         {},
         {},
         {},
         3,
         0},
        {"Tyk quota", "tyk-quota", "quota-5f2c",
         [](FakeKeys& k) { k.string("quota-5f2c", "40", 900'000); }, 40},
        {"Higress",
         "higress-rate-limit",
         "higress-cluster-key-rate-limit:r1:limit_by_header:60:x-user:u7",
         [](FakeKeys& k) {
             k.string("higress-cluster-key-rate-limit:r1:limit_by_header:60:x-user:u7", "3",
                      41'000);
         },
         {},
         {},
         minute,
         3,
         0},
        {"Hammer, fixed window",
         "hammer-fixed-window",
         "MyApp.RateLimit:u7",
         [](FakeKeys& k) { k.string("MyApp.RateLimit:u7:" + bucket, "4", left); },
         4,
         {},
         minute},
        {"Hammer's name, kept for longer",
         "numbered-window",
         "MyApp.RateLimit:u7",
         [](FakeKeys& k) { k.string("MyApp.RateLimit:u7:" + bucket, "4", left + 20'000); },
         4,
         {},
         minute},
        {"Better Auth", "better-auth", "203.0.113.9/sign-in/email",
         [](FakeKeys& k) {
             k.string(
                 "203.0.113.9/sign-in/email",
                 R"({"key":"203.0.113.9/sign-in/email","count":3,"lastRequest":1795223340117})");
         },
         3},
        {"Better Auth, counter", "better-auth-counter", "better-auth:10.0.0.7|/sign-in/email",
         [](FakeKeys& k) { k.string("better-auth:10.0.0.7|/sign-in/email", "3", 9'000); }, 3},
        {"Better Auth, counter, own prefix", "better-auth-counter",
         "acme:sh0p:2001:db8::1|/sign-in/email",
         [](FakeKeys& k) { k.string("acme:sh0p:2001:db8::1|/sign-in/email", "3", 9'000); }, 3},
        {"a path behind what is no address", "", "",
         [](FakeKeys& k) { k.string("menu:10.0|/sign-in/email", "3", 9'000); }},
        {"hono-rate-limiter", "hono-rate-limiter", "hrl:alice",
         [](FakeKeys& k) { k.string("hrl:alice", "6", 59'000); }, 6},
        {"hono-rate-limiter, unstorage", "hono-rate-limiter-unstorage", "acme:sh0p:alice",
         [](FakeKeys& k) {
             k.string("acme:sh0p:alice",
                      R"({"totalHits":6,"resetTime":"2026-11-21T01:10:20.117Z"})");
         },
         6},
        {"koa2-ratelimit", "koa2-ratelimit", "global|10.0.0.7",
         [](FakeKeys& k) { k.string("global|10.0.0.7", "6", 59'000); }, 6},
        {"koa2-ratelimit, own prefix", "koa2-ratelimit", "login/admin|10.0.0.7",
         [](FakeKeys& k) { k.string("login/admin|10.0.0.7", "6", 59'000); }, 6},
        {"express-brute", "express-brute", "23oCz4YVz7o41bryZtgxpFFxYaJylZF/xEg7YYSkac0=",
         [](FakeKeys& k) {
             k.string("23oCz4YVz7o41bryZtgxpFFxYaJylZF/xEg7YYSkac0=",
                      R"({"count":3,"lastRequest":"2026-11-21T01:05:35.741Z",)"
                      R"("firstRequest":"2026-11-21T01:05:35.740Z"})",
                      9'899'000);
         },
         3},
        {"express-limiter",
         "express-limiter",
         "ratelimit:/login:get:ip:10.0.0.7",
         [](FakeKeys& k) {
             k.string("ratelimit:/login:get:ip:10.0.0.7",
                      R"({"total":5,"remaining":2,"reset":1795223390117})", 60'000);
         },
         3,
         5,
         {},
         2,
         0},
        {"express-limiter, nothing left",
         "express-limiter",
         "ratelimit:/login:get:ip:10.0.0.7",
         [](FakeKeys& k) {
             k.string("ratelimit:/login:get:ip:10.0.0.7",
                      R"({"total":5,"remaining":-1,"reset":1795223390117})", 60'000);
         },
         5,
         5,
         {},
         0,
         40'000},
        {"grammY", "grammy-ratelimiter", "RATE_LIMITER1003",
         [](FakeKeys& k) { k.string("RATE_LIMITER1003", "6", 59'000); }, 6},
        {"NestJS, own key", "nestjs-throttler-key", "{acme:sh0p:alice:default}:hits",
         [](FakeKeys& k) { k.string("{acme:sh0p:alice:default}:hits", "3", 59'000); }, 3},
        {"NestJS, own key, blocked",
         "nestjs-throttler-key",
         "{acme:sh0p:bob:short}:hits",
         [](FakeKeys& k) {
             k.string("{acme:sh0p:bob:short}:hits", "6", 9'000);
             k.string("{acme:sh0p:bob:short}:blocked", "1", 59'000);
         },
         6,
         {},
         {},
         0,
         59'000},
        {"views of a page in a slot", "", "",
         [](FakeKeys& k) { k.string("{page:home}:hits", "3", 59'000); }},
        {"NestJS, hash",
         "nestjs-redis-throttler",
         "_throttler:{acme:sh0p:bob}",
         [](FakeKeys& k) {
             k.hash("_throttler:{acme:sh0p:bob}", {{"default", "6"}}, 59'000);
             k.string("_throttler:{acme:sh0p:bob}:block:default", "1", 59'000);
         },
         6,
         {},
         {},
         0,
         59'000},
        {"NestJS, hash of two", "nestjs-redis-throttler", "_throttler:{alice}",
         [](FakeKeys& k) {
             k.hash("_throttler:{alice}", {{"short", "2"}, {"long", "9"}}, 59'000);
         },
         9},
        {"upstash under a prefix of its own, fixed window",
         "numbered-window",
         "acme:sh0p:alice",
         [](FakeKeys& k) { k.string("acme:sh0p:alice:" + bucket, "4", left + 20'000); },
         4,
         {},
         minute},
        {"numbered behind a hyphen",
         "numbered-window",
         "calls-alice",
         [](FakeKeys& k) { k.string("calls-alice-" + bucket, "4", left); },
         4,
         {},
         minute},
        {"upstash under a prefix of its own, sliding window",
         "numbered-sliding-window",
         "acme:sh0p:alice",
         [](FakeKeys& k) {
             k.string("acme:sh0p:alice:" + bucket, "4", left + minute + 21'000);
             k.string("acme:sh0p:alice:" + QByteArray::number(now / minute - 1), "10",
                      left + 21'000);
         },
         4 + 10 * left / minute,
         {},
         minute},
        {"a number that counts no windows", "", "",
         [](FakeKeys& k) { k.string("acme:sh0p:29920312", "4", 30'000); }},
        {"a game's level", "", "",
         [](FakeKeys& k) {
             k.hash("game:u7", {{"level", "3"}, {"last_update", "yesterday"}}, 67'000);
         }},
        {"AspNetCoreRateLimit", "aspnetcore-rate-limit", "shop_Mq2bFGp6mJ8V5tD0L7i3nXbq0rE=",
         [](FakeKeys& k) {
             k.hash("shop_Mq2bFGp6mJ8V5tD0L7i3nXbq0rE=",
                    {{"absexp", "638999999999999999"},
                     {"sldexp", "-1"},
                     {"data", R"({"Timestamp":"2026-11-21T01:09:00.1234567Z","Count":3.0})"}},
                    41'000);
         },
         3},
        {"another entry of the same cache", "", "",
         [](FakeKeys& k) {
             k.hash("shop_Mq2bFGp6mJ8V5tD0L7i3nXbq0rE=",
                    {{"absexp", "638999999999999999"}, {"sldexp", "-1"}, {"data", R"({"user":7})"}},
                    41'000);
         }},
        {"GitLab",
         "gitlab-rate-limiter",
         "application_rate_limiter:notes_create:user:7",
         [](FakeKeys& k) {
             k.string("application_rate_limiter:notes_create:user:7:" + bucket, "4", 50'000);
         },
         4,
         {},
         minute},
        {"Mastodon",
         "mastodon-rate-limiter",
         "rate_limit:7:statuses",
         [](FakeKeys& k) {
             k.string("rate_limit:7:statuses:" + QByteArray::number(now / 10'800'000), "4",
                      10'700'000);
         },
         4,
         {},
         10'800'000},
        {"rueidislimiter", "rueidis-limiter", "rueidislimiter:{u7}",
         [](FakeKeys& k) {
             k.string("rueidislimiter:{u7}", "4", 41'000);
             k.string("rueidislimiter:{u7}:ex", number(now + 41'000), 41'000);
         },
         4},
        {"limits, sliding counter", "limits-sliding-counter", "LIMITS:{LIMITER/u7/10/1/minute}",
         [](FakeKeys& k) {
             k.string("LIMITS:{LIMITER/u7/10/1/minute}", "2", 100'000);
             k.string("LIMITS:{LIMITER/u7/10/1/minute}/-1", "8", 30'000);
         },
         6, 10, minute, 4, 0},
        {"a path that ends as a limit does", "", "",
         [](FakeKeys& k) { k.string("reports/2024/5/day", "7", 400'000'000); }},
        {"upstash, sliding window",
         "upstash-sliding-window",
         "@upstash/ratelimit:u7",
         [](FakeKeys& k) {
             k.string("@upstash/ratelimit:u7:" + bucket, "4", left + minute + 21'000);
             k.string("@upstash/ratelimit:u7:" + QByteArray::number(now / minute - 1), "10",
                      left + 21'000);
         },
         4 + 10 * left / minute,
         {},
         minute},
        {"throttled-py, sliding window",
         "throttled-py-sliding-window",
         "throttled:v1:sliding_window:u7",
         [](FakeKeys& k) {
             k.string("throttled:v1:sliding_window:u7:period:" + bucket, "4",
                      left + minute + 20'000);
         },
         4,
         {},
         minute},
        {"rack-attack, a ban",
         "rack-attack-ban",
         "rack::attack:fail2ban:ban:pentest-10.0.0.7",
         [](FakeKeys& k) { k.string("rack::attack:fail2ban:ban:pentest-10.0.0.7", "1", 90'000); },
         1,
         1,
         {},
         0,
         90'000},
    };
}

} // namespace lk::test
