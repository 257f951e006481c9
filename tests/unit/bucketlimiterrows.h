// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "limiterrows.h"

namespace lk::test {

/// Limiters that keep a level and since when it is.
inline std::vector<Row> bucketLimiters()
{
    return {
        {"upstash, token bucket",
         "upstash-token-bucket",
         "@upstash/ratelimit:u7",
         [](FakeKeys& k) {
             k.hash("@upstash/ratelimit:u7", {{"refilledAt", number(now - 500)}, {"tokens", "7"}},
                    30'000);
         },
         {},
         {},
         {},
         7,
         0},
        {"Spring Cloud Gateway",
         "spring-cloud-gateway",
         "request_rate_limiter.{r1.u7}.tokens",
         [](FakeKeys& k) {
             k.string("request_rate_limiter.{r1.u7}.tokens", "3.5", 1'500);
             k.string("request_rate_limiter.{r1.u7}.timestamp", "1795223349", 1'500);
         },
         {},
         {},
         {},
         3,
         0},
        {"Spring Cloud Gateway without its time", "", "",
         [](FakeKeys& k) { k.string("request_rate_limiter.{r1.u7}.tokens", "3.5", 1'500); }},
        {".NET token bucket",
         "dotnet-token-bucket",
         "rl:{u7}",
         [](FakeKeys& k) {
             k.string("rl:{u7}", "7", 41'000);
             k.string("rl:{u7}:ts", "1795223340", 41'000);
         },
         {},
         {},
         {},
         7,
         0},
        {"APISIX limit-req", "apisix-limit-req", "limit_req:10.0.0.7",
         [](FakeKeys& k) {
             k.hash("limit_req:10.0.0.7", {{"excess", "1.5"}, {"last", number(now - 40)}}, 9'000);
         },
         2},
        {"Traefik",
         "traefik-rate-limit",
         "rate:api@docker:10.0.0.7",
         [](FakeKeys& k) {
             k.hash("rate:api@docker:10.0.0.7",
                    {{"last", number(double(now) * 1000)}, {"tokens", "7.25"}}, 9'000);
         },
         {},
         {},
         {},
         7,
         0},
        {"Hammer, token bucket",
         "hammer-token-bucket",
         "MyApp.RateLimit:u7",
         [](FakeKeys& k) {
             k.hash("MyApp.RateLimit:u7", {{"level", "3"}, {"last_update", "1795223340"}}, 67'000);
         },
         {},
         {},
         {},
         3},
        {"Hammer, leaky bucket", "hammer-leaky-bucket", "MyApp.RateLimit:u7",
         [](FakeKeys& k) {
             k.hash("MyApp.RateLimit:u7", {{"level", "3"}, {"last_update", "1795223340"}});
         },
         3},
        {"redis-cell", "redis-cell", "u7:anything",
         [](FakeKeys& k) {
             k.string("u7:anything", QByteArray::number((now + 12'000) * 1'000'000), 12'000);
         }},
        {"19 digits that are no time", "", "",
         [](FakeKeys& k) { k.string("u7:anything", "1795223999999000000", 12'000); }},
        {"redis_rate", "redis-rate", "rate:u7",
         [](FakeKeys& k) {
             k.string("rate:u7", number(double(now + 12'000) / 1000 - 1483228800, 6), 12'000);
         }},
        {"redis_rate with an exponent", "redis-rate", "rate:u7",
         [](FakeKeys& k) { k.string("rate:u7", "3.11994562117e+08", 12'000); }},
        {"redis-gcra of Node.js", "redis-gcra-node", "acme:sh0p/alice",
         [](FakeKeys& k) {
             k.string("acme:sh0p/alice", number(double(now + 12'000) + 0.2854, 4), 12'000);
         }},
        {"a fraction that is not the key's end", "", "",
         [](FakeKeys& k) {
             k.string("acme:sh0p/alice", number(double(now + 92'000) + 0.2854, 4), 12'000);
         }},
        {"GCRA in a hash", "gcra-hash", "acme:alice",
         [](FakeKeys& k) {
             k.hash("acme:alice", {{"tat", number(now + 12'000)}}, 12'000);
         }},
        {"throttled-py, GCRA", "throttled-py-gcra", "throttled:v1:gcra:u7",
         [](FakeKeys& k) {
             k.string("throttled:v1:gcra:u7", number(double(now + 12'000) / 1000 - 1735660800, 6),
                      12'000);
         }},
    };
}

} // namespace lk::test
