// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "limiterrows.h"

namespace lk::test {

/// Limiters that keep a mark of each request, or of each that is under way.
inline std::vector<Row> markLimiters()
{
    return {
        {"limits, moving window", "limits-moving-window", "LIMITER/u7/3/1/minute",
         [](FakeKeys& k) {
             k.list("LIMITER/u7/3/1/minute", {seconds(100), seconds(30'100), seconds(59'100)},
                    59'900);
         },
         3, 3, minute, 0, 900},
        {"limits, moving window with old marks", "limits-moving-window", "LIMITER/u7/3/1/minute",
         [](FakeKeys& k) {
             k.list("LIMITER/u7/3/1/minute", {seconds(100), seconds(30'100), seconds(70'100)},
                    59'900);
         },
         2, 3, minute, 1, 0},
        {"ratelimiter",
         "ratelimiter",
         "limit:u7",
         [](FakeKeys& k) {
             k.zset("limit:u7", marks({9'000, 4'000, 1'000}, 1000, asScore), 59'000);
         },
         3,
         {},
         minute},
        {"async-ratelimiter",
         "async-ratelimiter",
         "limit:u7",
         [](FakeKeys& k) {
             k.zset("limit:u7",
                    {{number(now - 4000 + 0.25, 4), now - 4000 + 0.25},
                     {number(now - 1000 + 0.5, 4), now - 1000 + 0.5}},
                    59'000);
         },
         2,
         {},
         minute},
        {"rolling-rate-limiter",
         "rolling-rate-limiter",
         "strange!u7",
         [](FakeKeys& k) {
             k.zset("strange!u7", marks({4'000, 1'000}, 1000, asUuid), 59'000);
         },
         2,
         {},
         minute},
        {"semaphore with UUIDs and milliseconds", "", "",
         [](FakeKeys& k) {
             k.zset("semaphore:x", marks({4'000, 1'000}, 1, asUuid), 9'000);
         }},
        {".NET sliding window",
         "dotnet-sliding-window",
         "rl:u7",
         [](FakeKeys& k) {
             k.zset("rl:u7", {{"r1", 1795223340}, {"r2", 1795223350}}, 60'117);
         },
         2,
         {},
         minute},
        {"Tyk",
         "tyk-rate-limit",
         "rate-limit-5f2c",
         [](FakeKeys& k) {
             k.zset("rate-limit-5f2c", marks({4'000, 1'000}, 1e6, asScore), 59'000);
         },
         2,
         {},
         minute},
        {"Tyk, blocked",
         "tyk-rate-limit",
         "rate-limit-5f2c",
         [](FakeKeys& k) {
             k.zset("rate-limit-5f2c", marks({4'000, 1'000}, 1e6, asScore), 59'000);
             k.string("rate-limit-5f2c.BLOCKED", "1", 7'000);
         },
         2,
         {},
         minute,
         0,
         7'000},
        {"One API", "one-api-rate-limit", "rateLimit:GA10.0.0.7",
         [](FakeKeys& k) {
             k.list("rateLimit:GA10.0.0.7",
                    {"2026-11-21T01:09:10.000Z", "2026-11-21T01:09:00.000Z"}, 1'200'000);
         },
         2},
        {"Hammer, sliding window",
         "hammer-sliding-window",
         "MyApp.RateLimit:u7:60000",
         [](FakeKeys& k) {
             k.zset("MyApp.RateLimit:u7:60000",
                    {{"1795223340158000", 1795223340}, {"179522334571", 1795223345}}, 55'000);
         },
         2,
         {},
         minute},
        {"Hammer's marks, kept for longer than their window", "", "",
         [](FakeKeys& k) {
             k.zset("MyApp.RateLimit:u7:10000", {{"1795223340158000", 1795223340}}, 55'000);
         }},
        {"Discourse", "discourse-rate-limiter", "default:l-rate-limit3::7:live_post",
         [](FakeKeys& k) {
             k.list("default:l-rate-limit3::7:live_post", {"1795223340", "1795223300"}, 60'000);
         },
         2},
        {"Zulip",
         "zulip-rate-limiter",
         "ratelimit:UserId:7:api_by_user:zset",
         [](FakeKeys& k) {
             k.zset("ratelimit:UserId:7:api_by_user:zset", marks({4'000, 1'000}, 1e-3, asScore),
                    59'000);
             k.list("ratelimit:UserId:7:api_by_user:list", {seconds(1'000), seconds(4'000)},
                    59'000);
         },
         2,
         {},
         minute},
        {"Sidekiq::Throttled",
         "sidekiq-throttled-threshold",
         "throttled:mails:threshold",
         [](FakeKeys& k) {
             k.list("throttled:mails:threshold", {seconds(1'000), seconds(4'000)}, 59'000);
         },
         2,
         {},
         minute},
        {"a list of names where times should be", "", "",
         [](FakeKeys& k) {
             k.list("throttled:mails:threshold", {"anna", "bert"}, 59'000);
         }},

        {"concurrent requests", "stripe-concurrency", "concurrent_requests_limiter.u7",
         [](FakeKeys& k) {
             k.zset("concurrent_requests_limiter.u7",
                    {{"a1b2", 1795223200}, {"c3d4", 1795223340}, {"e5f6", 1795223349}});
         },
         2},
        {".NET concurrency", "dotnet-concurrency", "rl:u7",
         [](FakeKeys& k) {
             k.zset("rl:u7", {{"r1", 1795223340}, {"r2", 1795223349}});
             k.hash("rl:u7:stats", {{"total_successful", "40"}, {"total_failed", "2"}});
         },
         2},
        {"APISIX limit-conn", "apisix-limit-conn", "limit_conn:10.0.0.7",
         [](FakeKeys& k) {
             k.zset("limit_conn:10.0.0.7", {{"a", 1795223300}, {"b", 1795223900}});
         },
         1},
    };
}

} // namespace lk::test
