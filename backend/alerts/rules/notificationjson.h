// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"

namespace lk {

/// A notification and its JSON.
struct WrittenNotification
{
    Notification notification;
    QByteArray body; ///< JSON
};

/// Returns the JSON for webhooks and commands: the same bytes at each attempt.
QByteArray notificationJson(const Notification& notification, const QString& deployment);

/// Returns the notification's id in such JSON.
QByteArray idOf(const QByteArray& json);

/// Returns "v1=" and the HMAC-SHA256 of "SECONDS.BODY" in hexadecimal digits. It proves the sender
/// and the time.
QByteArray signatureOf(const QByteArray& body, qint64 seconds, const QByteArray& secret);

} // namespace lk
