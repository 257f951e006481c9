// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"

#include <functional>

class QObject;

namespace lk {

/// Sends one message to a declared target, at once and without retries. Calls done with the
/// problem, which is empty if it was delivered. done is not called if context, which lives in this
/// thread, is gone by then. nowMs: this machine's clock.
void sendTestNotification(const AlertSettings& settings, const QByteArray& target,
                          const QString& deployment, qint64 nowMs, QObject* context,
                          const std::function<void(const QString& problem)>& done);
/// Returns the test message.
QByteArray testNotificationJson(const QString& deployment, qint64 nowMs);

} // namespace lk
