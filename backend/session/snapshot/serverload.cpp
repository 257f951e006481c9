// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/snapshot/serverload.h"

#include "backend/redis/server/serverinfo.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace lk {

namespace {

constexpr int countedMs = 10;

void askCount(Link& link, QObject* context, const std::function<void(std::optional<qint64>)>& told)
{
    link.send({Command{"INFO", "stats"}}, context, [told](const BatchResult& result) {
        told(result ? ServerInfo::fromReply(result->front()).number("total_commands_processed")
                    : std::nullopt);
    });
}

} // namespace

void countOthers(Link& link, QObject* context, const std::function<void(double perSecond)>& handler)
{
    askCount(link, context, [&link, context, handler](std::optional<qint64> before) {
        QElapsedTimer since;
        since.start();
        QTimer::singleShot(countedMs, Qt::PreciseTimer, context, [=, &link] {
            askCount(link, context, [=](std::optional<qint64> after) {
                // The first of the two has been counted by then.
                const qint64 others = before && after ? *after - *before - 1 : 0;
                handler(double(std::max<qint64>(0, others)) * 1e9 /
                        double(std::max<qint64>(1, since.nsecsElapsed())));
            });
        });
    });
}

} // namespace lk
