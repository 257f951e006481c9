// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/othersload.h"

#include "backend/redis/replies.h"
#include "backend/redis/server/serverinfo.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 quiet = 1000; // commands per second that need no closer look

struct Load
{
    qint64 processed = 0; ///< since the server was started
    qint64 lately = 0;    ///< per second
};

Task<std::optional<Load>> readLoad(Link& link, QObject* context)
{
    const Command stats{"INFO", "stats"};
    const BatchResult result = co_await replies(link, stats, context);
    if (!result)
        co_return std::nullopt;
    const ServerInfo info = ServerInfo::fromReply(result->front());
    const auto processed = info.number("total_commands_processed");
    const qint64 lately = info.number("instantaneous_ops_per_sec").value_or(0);
    co_return processed ? std::optional(Load{*processed, lately}) : std::nullopt;
}

} // namespace

Task<std::optional<double>> countOthers(Link& link, int overMs, QObject* context)
{
    const std::optional<Load> before = co_await readLoad(link, context);
    if (!before)
        co_return std::nullopt;
    if (before->lately < quiet)
        co_return 0;
    QElapsedTimer since;
    since.start();
    co_await Awaited<Passed>([&](auto then) {
        QTimer::singleShot(overMs, Qt::PreciseTimer, context, [then] { then({}); });
    });
    const std::optional<Load> after = co_await readLoad(link, context);
    // By then the first INFO has been counted.
    const qint64 others = after ? after->processed - before->processed - 1 : 0;
    co_return double(std::max<qint64>(0, others)) * 1e9 /
        double(std::max<qint64>(1, since.nsecsElapsed()));
}

} // namespace lk
