// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"

namespace lk {

/// A notification as it is sent.
struct WrittenNotification
{
    Notification notification;
    QByteArray body; ///< JSON
};

/// What a webhook is sent and a command reads: the same bytes at each attempt.
QByteArray notificationJson(const Notification& notification, const QString& deployment);

/// Of such JSON.
QByteArray idOf(const QByteArray& json);

/// "v1=" and the HMAC-SHA256 of "SECONDS.BODY" in hexadecimal digits: proves who sent it and when.
QByteArray signatureOf(const QByteArray& body, qint64 seconds, const QByteArray& secret);

} // namespace lk
