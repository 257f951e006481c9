// SPDX-License-Identifier: GPL-3.0-or-later
// The rate limiters that layout files describe: keys as each library writes them are detected as
// that library's, counted as it counts them, and nothing is said that no key tells.
#include "fakekeys.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace lk;

namespace {

constexpr qint64 now = 1795223350117; // FakeKeys::nowMs
using Known = std::optional<qint64>;

struct Row
{
    const char* title;
    QByteArray layout; ///< empty: no layout file claims anything
    QByteArray name;
    std::function<void(FakeKeys&)> write;
    Known used = {};
    Known limit = {};
    Known window = {};
    Known remaining = {};
    Known nextFree = {};
};

std::vector<ScoredMember> marks(std::initializer_list<qint64> agesMs, double unitsPerMs,
                                const std::function<QByteArray(double, int)>& member)
{
    std::vector<ScoredMember> all;
    for (const qint64 age : agesMs) {
        const double score = double(now - age) * unitsPerMs;
        all.push_back({member(score, int(all.size())), score});
    }
    return all;
}

QByteArray asScore(double score, int)
{
    return QByteArray::number(score, 'f', 0);
}
QByteArray asUuid(double, int index)
{
    return "0d9a3a39-1d2c-4d6e-9b55-0a1b2c3d4e" + QByteArray::number(10 + index);
}
QByteArray seconds(qint64 ageMs)
{
    return QByteArray::number(double(now - ageMs) / 1000, 'f', 4);
}
QByteArray number(double value, int digits = 0)
{
    return QByteArray::number(value, 'f', digits);
}

const QByteArray key = "u7";
const QByteArray nest = "{" + QByteArray(64, 'c') + ":default}";
constexpr qint64 minute = 60'000;
const QByteArray bucket = QByteArray::number(now / minute);
constexpr qint64 left = minute - now % minute; // of this minute

const std::vector<Row>& rows()
{
    static const std::vector<Row> all{
        {"limits, fixed window", "limits-fixed-window", "LIMITER/u7/index/5/1/minute",
         [](FakeKeys& k) { k.string("LIMITER/u7/index/5/1/minute", "5", 41'000); }, 5, 5, minute, 0,
         41'000},
        {"limits, another namespace and prefix", "limits-fixed-window", "LIMITS:shop/u7/20/2/hour",
         [](FakeKeys& k) { k.string("LIMITS:shop/u7/20/2/hour", "3", 41'000); }, 3, 20,
         2 * 60 * minute, 17, 0},
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
        {"limits, sliding counter", "limits-sliding-counter", "LIMITS:{LIMITER/u7/10/1/minute}",
         [](FakeKeys& k) {
             k.string("LIMITS:{LIMITER/u7/10/1/minute}", "2", 100'000);
             k.string("LIMITS:{LIMITER/u7/10/1/minute}/-1", "8", 30'000);
         },
         6, 10, minute, 4, 0},
        {"a path that ends as a limit does", "", "",
         [](FakeKeys& k) { k.string("reports/2024/5/day", "7", 400'000'000); }},
        {"rate-limiter-flexible", "rate-limiter-flexible", "rlflx:u7",
         [](FakeKeys& k) { k.string("rlflx:u7", "4", 900); }, 4},
        {"rate-limiter-flexible with a key prefix", "rate-limiter-flexible", "app:rlflx:u7",
         [](FakeKeys& k) { k.string("app:rlflx:u7", "4", 900); }, 4},
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
        {"concurrent requests", "stripe-concurrency", "concurrent_requests_limiter.u7",
         [](FakeKeys& k) {
             k.zset("concurrent_requests_limiter.u7",
                    {{"a1b2", 1795223200}, {"c3d4", 1795223340}, {"e5f6", 1795223349}});
         },
         2},
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
        {"throttled-py, GCRA", "throttled-py-gcra", "throttled:v1:gcra:u7",
         [](FakeKeys& k) {
             k.string("throttled:v1:gcra:u7", number(double(now + 12'000) / 1000 - 1735660800, 6),
                      12'000);
         }},
        {"throttled-py, fixed window",
         "throttled-py-fixed-window",
         "throttled:v1:fixed_window:u7",
         [](FakeKeys& k) {
             k.string("throttled:v1:fixed_window:u7:period:" + bucket, "4", left + 20'000);
         },
         4,
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
        {"rack-attack, a ban",
         "rack-attack-ban",
         "rack::attack:fail2ban:ban:pentest-10.0.0.7",
         [](FakeKeys& k) { k.string("rack::attack:fail2ban:ban:pentest-10.0.0.7", "1", 90'000); },
         1,
         1,
         {},
         0,
         90'000},
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
        {".NET concurrency", "dotnet-concurrency", "rl:u7",
         [](FakeKeys& k) {
             k.zset("rl:u7", {{"r1", 1795223340}, {"r2", 1795223349}});
             k.hash("rl:u7:stats", {{"total_successful", "40"}, {"total_failed", "2"}});
         },
         2},
        {".NET sliding window",
         "dotnet-sliding-window",
         "rl:u7",
         [](FakeKeys& k) {
             k.zset("rl:u7", {{"r1", 1795223340}, {"r2", 1795223350}}, 60'117);
         },
         2,
         {},
         minute},
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
        {"APISIX limit-req", "apisix-limit-req", "limit_req:10.0.0.7",
         [](FakeKeys& k) {
             k.hash("limit_req:10.0.0.7", {{"excess", "1.5"}, {"last", number(now - 40)}}, 9'000);
         },
         2},
        {"APISIX limit-conn", "apisix-limit-conn", "limit_conn:10.0.0.7",
         [](FakeKeys& k) {
             k.zset("limit_conn:10.0.0.7", {{"a", 1795223300}, {"b", 1795223900}});
         },
         1},
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
        {"One API", "one-api-rate-limit", "rateLimit:GA10.0.0.7",
         [](FakeKeys& k) {
             k.list("rateLimit:GA10.0.0.7",
                    {"2026-11-21T01:09:10.000Z", "2026-11-21T01:09:00.000Z"}, 1'200'000);
         },
         2},
        {"Hammer, fixed window",
         "hammer-fixed-window",
         "MyApp.RateLimit:u7",
         [](FakeKeys& k) { k.string("MyApp.RateLimit:u7:" + bucket, "4", left); },
         4,
         {},
         minute},
        {"Hammer's name, kept for longer", "", "",
         [](FakeKeys& k) { k.string("MyApp.RateLimit:u7:" + bucket, "4", left + 20'000); }},
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
        {"Better Auth", "better-auth", "203.0.113.9/sign-in/email",
         [](FakeKeys& k) {
             k.string(
                 "203.0.113.9/sign-in/email",
                 R"({"key":"203.0.113.9/sign-in/email","count":3,"lastRequest":1795223340117})");
         },
         3},
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
        {"Discourse", "discourse-rate-limiter", "default:l-rate-limit3::7:live_post",
         [](FakeKeys& k) {
             k.list("default:l-rate-limit3::7:live_post", {"1795223340", "1795223300"}, 60'000);
         },
         2},
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
        {"rueidislimiter", "rueidis-limiter", "rueidislimiter:{u7}",
         [](FakeKeys& k) {
             k.string("rueidislimiter:{u7}", "4", 41'000);
             k.string("rueidislimiter:{u7}:ex", number(now + 41'000), 41'000);
         },
         4},
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
    };
    return all;
}

} // namespace

class TestLimiterFiles : public QObject
{
    Q_OBJECT

private slots:
    void areDetectedAndCounted_data()
    {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < rows().size(); ++i)
            QTest::newRow(rows()[i].title) << int(i);
    }
    void areDetectedAndCounted();
    void everyFileHasARow();
    void theNextWindowHasAnotherName();
    void aResetTakesAllKeysThatCount_data();
    void aResetTakesAllKeysThatCount();
    void namesOfOthersAreLetGoQuickly();
};

void TestLimiterFiles::areDetectedAndCounted()
{
    QFETCH(int, index);
    const Row& row = rows()[size_t(index)];
    FakeKeys keys;
    row.write(keys);
    const auto found = keys.discover();
    const auto isFile = [](const Primitive& p) {
        return p.kind == Kind::Limiter &&
               QFile::exists(
                   QStringLiteral(":/layouts/%1.toml").arg(QString::fromLatin1(p.id.layout)));
    };
    if (row.layout.isEmpty()) {
        for (const Primitive& primitive : found)
            QVERIFY2(!isFile(primitive), primitive.id.layout.constData());
        return;
    }
    QByteArray all = found.keys().join(", ");
    QVERIFY2(found.contains(row.layout + ' ' + row.name), all.constData());
    const Primitive primitive = found.value(row.layout + ' ' + row.name);
    for (const Primitive& other : found)
        QVERIFY2(!isFile(other) || other.id == primitive.id, all.constData());
    const Result<State> state = keys.read(primitive);
    QVERIFY2(state && !state->problem, state ? "" : qPrintable(state.error().detail));
    QVERIFY(state->present);
    const LimiterState limiter = *state->as<LimiterState>();
    QCOMPARE(limiter.occupancy, row.used);
    QCOMPARE(limiter.limit, row.limit);
    QCOMPARE(limiter.windowMs, row.window);
    if (row.remaining)
        QCOMPARE(limiter.remaining, row.remaining);
    if (row.nextFree)
        QCOMPARE(limiter.nextFreeMs, row.nextFree);
    QCOMPARE(limiter.limitSource == Source::Unknown, !row.limit.has_value());
    QCOMPARE(limiter.windowSource == Source::Unknown, !row.window.has_value());
}

void TestLimiterFiles::everyFileHasARow()
{
    for (const Layout* layout : allLayouts()) {
        const bool fromFile = QFile::exists(
            QStringLiteral(":/layouts/%1.toml").arg(QString::fromLatin1(layout->id())));
        const bool tested = std::any_of(rows().begin(), rows().end(),
                                        [&](const Row& r) { return r.layout == layout->id(); });
        // What is only possible is never claimed.
        const bool possible = layout->id() == "pyrate-limiter";
        const bool twin = layout->id() == "litellm-tokens" || layout->id() == "stripe-token-bucket";
        if (fromFile && layout->kind() == Kind::Limiter)
            QVERIFY2(tested || possible || twin, layout->id().constData());
    }
}

// Where the number of the window is in the name, the next window's key is read without a scan.
void TestLimiterFiles::theNextWindowHasAnotherName()
{
    FakeKeys keys;
    keys.string("rack::attack:" + bucket + ":logins/ip:10.0.0.7", "4", left + 1000);
    const Primitive primitive = keys.discover().first();
    const Result<State> first = keys.read(primitive);
    QCOMPARE(first->as<LimiterState>()->occupancy, Known(4));
    keys.remove("rack::attack:" + bucket + ":logins/ip:10.0.0.7");
    keys.string("rack::attack:" + QByteArray::number(now / minute + 1) + ":logins/ip:10.0.0.7", "1",
                minute);
    keys.nowMs += left + 10;
    const Result<State> second = keys.read(primitive, Depth::Summary, &*first);
    QCOMPARE(second->as<LimiterState>()->occupancy, Known(1));
    QCOMPARE(second->as<LimiterState>()->windowMs, Known(minute));
}

void TestLimiterFiles::aResetTakesAllKeysThatCount_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QByteArrayList>("keys");
    const QByteArray before = QByteArray::number(now / minute - 1);
    const auto row = [](const char* title, QByteArrayList keys) {
        QTest::newRow(title) << QByteArray(title) << std::move(keys);
    };
    row("Laravel", {"laravel_cache:9f86d081884c7d65", "laravel_cache:9f86d081884c7d65:timer"});
    row("NestJS, blocked", {nest + ":hits", nest + ":blocked"});
    row("Tyk, blocked", {"rate-limit-5f2c", "rate-limit-5f2c.BLOCKED"});
    row("upstash, sliding window",
        {"@upstash/ratelimit:u7:" + bucket, "@upstash/ratelimit:u7:" + before});
    row("upstash, fixed window, dynamic limit", {"@upstash/ratelimit:u7:" + bucket});
    row("limits, sliding counter",
        {"LIMITS:{LIMITER/u7/10/1/minute}", "LIMITS:{LIMITER/u7/10/1/minute}/-1"});
    row(".NET concurrency", {"rl:u7", "rl:u7:q"});
}

void TestLimiterFiles::aResetTakesAllKeysThatCount()
{
    QFETCH(QByteArray, row);
    const auto made =
        std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return row == r.title; });
    QVERIFY(made != rows().end());
    FakeKeys keys;
    made->write(keys);
    const Primitive primitive = keys.discover().value(made->layout + ' ' + made->name);
    const Result<State> state = keys.read(primitive);
    QVERIFY(state);
    const auto counting = findLayout(made->layout)->countingKeys(*state, now);
    QTEST(QByteArrayList(counting.begin(), counting.end()), "keys");
}

// Each key of a server is held against every pattern, twice: what that takes is said, not judged.
void TestLimiterFiles::namesOfOthersAreLetGoQuickly()
{
    constexpr int count = 20'000;
    std::vector<QByteArray> names;
    for (int i = 0; i < count; ++i)
        names.push_back("session:" + QByteArray::number(i * 7919) + ":profile:v2");
    std::vector<const Layout*> files;
    for (const Layout* layout : allLayouts()) {
        if (!layout->origin().family.isEmpty())
            files.push_back(layout);
    }
    qsizetype asked = 0;
    QElapsedTimer timer;
    timer.start();
    for (const QByteArray& name : names) {
        for (const Layout* layout : files)
            asked += qsizetype(layout->siblings(name, KeyType::String).size());
    }
    qInfo("%zu layout files: %lld ns a key", files.size(), timer.nsecsElapsed() / count);
    QCOMPARE(asked, 0); // no command for keys that are nobody's
}

QTEST_GUILESS_MAIN(TestLimiterFiles)
#include "tst_limiterfiles.moc"
