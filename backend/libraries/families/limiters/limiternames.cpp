// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/limiters/limiternames.h"

#include "backend/core/names/namewords.h"
#include "backend/libraries/detect/periodname.h"

namespace lk {

LimiterHint limiterHint(const QByteArray& name)
{
    const bool strong =
        hasWord(name,
                words<"throttle", "throttled", "throttler", "throttling", "ratelimit", "ratelimits",
                      "ratelimiter", "ratelimiting", "limiter", "limiting", "rl", "rlflx">) ||
        (hasWord(name, words<"rate">) && hasWord(name, words<"limit", "limits", "limited">));
    if (strong)
        return LimiterHint::Strong;
    const bool calls =
        hasWord(name, words<"requests", "req", "calls">) && hasWord(name, words<"api">);
    const bool weak = calls || hasWord(name, words<"rate", "limit", "limits", "quota", "window">);
    return weak ? LimiterHint::Weak : LimiterHint::None;
}

bool measuresOtherwise(const QByteArray& name)
{
    // Money and trade, bodies and signals, shops and sites, settings, statistics.
    return hasWord(
               name,
               words<"hotel", "room", "friend", "friends", "pull", "merge", "exchange", "fx",
                     "forex", "currency", "price", "prices", "pricing", "tax", "vat", "interest",
                     "mortgage", "loan", "inflation", "credit", "debit", "order", "orders", "trade",
                     "trading", "spend", "spending", "spent", "budget", "overdraft", "withdraw",
                     "withdrawal", "withdrawals", "transfer", "deposit", "balance", "commission",
                     "discount", "shipping", "delivery", "salary", "hourly", "ticket", "tickets",
                     "stock", "inventory", "heart", "pulse", "bpm", "frame", "fps", "bit",
                     "bitrate", "sample", "sampling", "refresh", "baud", "data", "speed",
                     "conversion", "bounce", "churn", "click", "clicks", "ctr", "growth", "success",
                     "error", "errors", "failures", "failure", "cache", "page", "pages", "pageview",
                     "pageviews", "view", "views", "article", "articles", "post", "posts",
                     "product", "products", "video", "song", "url", "urls", "link", "links">) ||
           hasWord(name,
                   words<"config", "configuration", "settings", "setting", "options", "policy",
                         "policies", "plan", "plans", "tier", "tiers", "default", "defaults", "max",
                         "min", "maximum", "minimum", "allowed", "enabled", "flag", "flags",
                         "feature", "features", "version", "upload", "storage", "bytes", "size",
                         "age", "stat", "stats", "statistics", "metric", "metrics", "total",
                         "totals", "sum", "avg", "average", "median", "history", "report", "chart",
                         "daily", "weekly", "monthly", "yearly">) ||
           !periodForm(name).isEmpty();
}

bool isEventLogName(const QByteArray& name)
{
    return hasWord(
        name,
        words<"chat", "chats", "message", "messages", "msg", "msgs", "inbox", "audit", "audits",
              "event", "events", "log", "logs", "metric", "metrics", "cpu", "mem", "memory", "disk",
              "stat", "stats", "history", "histories", "recent", "latest", "timeline", "feed",
              "feeds", "activity", "activities", "online", "seen", "presence", "visit", "visits",
              "visitors", "view", "views", "sensor", "sensors", "temperature", "humidity",
              "telemetry", "trace", "traces", "session", "sessions", "notification",
              "notifications", "score", "scores", "price", "prices", "trade", "trades", "tick",
              "ticks", "ticker", "candle", "candles", "ohlc", "series", "timeseries", "ts",
              "samples", "readings", "location", "locations", "track", "tracks", "gps", "comments",
              "posts", "likes", "reactions", "searches", "clicks", "logins", "deploys",
              "deployments", "releases", "changes", "changelog", "journal", "backup", "backups",
              "expiry", "expirations", "reminders", "calendar", "archive", "archived", "exchange",
              "rates">);
}

} // namespace lk
