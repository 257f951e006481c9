// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/othersload.h"

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

void askLoad(Link& link, QObject* context, const std::function<void(std::optional<Load>)>& told)
{
    link.send({Command{"INFO", "stats"}}, context, [told](const BatchResult& result) {
        if (!result)
            return told(std::nullopt);
        const ServerInfo info = ServerInfo::fromReply(result->front());
        const auto processed = info.number("total_commands_processed");
        const qint64 lately = info.number("instantaneous_ops_per_sec").value_or(0);
        told(processed ? std::optional(Load{*processed, lately}) : std::nullopt);
    });
}

} // namespace

void countOthers(Link& link, int overMs, QObject* context,
                 const std::function<void(std::optional<double> perSecond)>& handler)
{
    askLoad(link, context, [&link, overMs, context, handler](const std::optional<Load>& before) {
        if (!before)
            return handler(std::nullopt);
        if (before->lately < quiet)
            return handler(0);
        QElapsedTimer since;
        since.start();
        QTimer::singleShot(overMs, Qt::PreciseTimer, context, [=, &link] {
            askLoad(link, context, [=](const std::optional<Load>& after) {
                // By then the first INFO has been counted.
                const qint64 others = after ? after->processed - before->processed - 1 : 0;
                handler(double(std::max<qint64>(0, others)) * 1e9 /
                        double(std::max<qint64>(1, since.nsecsElapsed())));
            });
        });
    });
}

} // namespace lk
