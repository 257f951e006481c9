// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/redis/link.h"
#include "backend/redis/server/serverinfo.h"

#include <QObject>
#include <QSet>

namespace lk {

/// Asks the server for its time and what it says of itself, and not again for what this user may
/// not ask; for settings that only an operator changes once a minute. Lives in the I/O thread.
class ServerPoll final : public QObject
{
    Q_OBJECT

public:
    ServerPoll(Link& control, const Clock& clock, QObject* parent);

    /// What the user may do may have changed meanwhile.
    void forgetDenied();
    void ask();

signals:
    /// time: nil where it may not be asked. sentMs: local.
    void answered(const lk::ServerInfo& info, const lk::Reply& time, qint64 sentMs);

private:
    bool areSettingsDue() const;
    void take(const std::vector<Command>& asked, const std::vector<Reply>& replies, qint64 sentMs);

    Link& m_control;
    const Clock& m_clock;
    QSet<QByteArray> m_denied;          ///< commands that this user may not send
    std::vector<Reply> m_settings;      ///< as last told, of those that are asked for now and then
    std::optional<qint64> m_settingsMs; ///< when that was; empty: not on this connection
};

} // namespace lk
