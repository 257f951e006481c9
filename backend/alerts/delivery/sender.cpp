// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/delivery/sender.h"

#include "backend/alerts/delivery/notifycommand.h"
#include "backend/alerts/delivery/webhook.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 longestPauseMs = 5 * 60 * 1000;

} // namespace

QByteArrayList secretsOf(const AlertSettings& settings)
{
    QByteArrayList secrets;
    for (const NotifyTarget& target : settings.targets) {
        if (!target.secretEnv.isEmpty())
            secrets << target.secretEnv;
    }
    return secrets;
}

std::unique_ptr<Sender> makeSender(const NotifyTarget& target, const QByteArrayList& secrets)
{
    if (target.command.isEmpty())
        return std::make_unique<Webhook>(target);
    return std::make_unique<NotifyCommand>(target, secrets);
}

qint64 retryAfterMs(int attempts)
{
    return std::min(longestPauseMs, 1000LL << std::clamp(attempts - 1, 0, 20));
}

} // namespace lk
