// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/redis/link.h"
#include "backend/redis/server/serverinfo.h"

#include <QObject>
#include <QSet>

namespace lk {

/// Reads the server's time, INFO and settings. Commands that the server denies to this user are not
/// sent again. Settings that only an operator changes are read once a minute. Lives in the I/O
/// thread.
class ServerPoll final : public QObject
{
    Q_OBJECT

public:
    ServerPoll(Link& control, const Clock& clock, QObject* parent);

    /// Call when the user's permissions may have changed.
    void forgetDenied();
    void ask();

signals:
    /// time: nil if the user may not read it. sentMs: local.
    void answered(const lk::ServerInfo& info, const lk::Reply& time, qint64 sentMs);

private:
    bool areSettingsDue() const;
    void take(const std::vector<Command>& asked, const std::vector<Reply>& replies, qint64 sentMs);

    Link& m_control;
    const Clock& m_clock;
    QSet<QByteArray> m_denied;          ///< commands that this user may not send
    std::vector<Reply> m_settings;      ///< the last replies for the settings read once a minute
    std::optional<qint64> m_settingsMs; ///< when they were read; empty: not on this connection
};

} // namespace lk
