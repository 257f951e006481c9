// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"
#include "backend/redis/topology/sentinelreplies.h"

#include <QTimer>

namespace lk {

/// One Sentinel and its answer about the group. Asks again after each reported failover and at
/// intervals. Reconnects by itself. Lives in the thread that made it.
class SentinelNode final : public QObject
{
    Q_OBJECT

public:
    /// learned: the address comes from another Sentinel. id: the id that it reports.
    SentinelNode(const ServerUrl& group, ServerUrl::Address address, bool learned, QByteArray id,
                 QObject* parent = nullptr);

    void open();
    /// Takes effect at the next connection attempt.
    void setPassword(const QString& user, const QString& password);
    /// Asks now; answered() follows, unless it cannot be reached and waits to reconnect.
    void ask();

    const ServerUrl::Address& address() const { return m_address; }
    bool isLearned() const { return m_learned; }
    const QByteArray& id() const { return m_id; }
    /// Empty during the first question, and while it cannot be reached.
    const std::optional<SentinelAnswer>& answer() const { return m_answer; }
    /// Why there is no answer. Empty if there is one, or if it is too early to expect one.
    const std::optional<Error>& error() const { return m_error; }
    /// A question is under way.
    bool isAsked() const { return m_asked; }
    /// Whether it reports a new master on its own.
    bool isSubscribed() const { return m_subscribed; }

signals:
    /// answer() or error() has changed.
    void answered();

private:
    void onStatus(const ConnectionStatus& status);
    void onNewsStatus(const ConnectionStatus& status);
    void onNews(const Reply& message);
    void query();
    void take(const BatchResult& result);
    void setSubscribed(bool on);

    QString m_masterName;
    ServerUrl::Address m_address;
    bool m_learned;
    QByteArray m_id;
    Connection m_connection;
    Connection m_news; ///< a second connection for the subscription, which allows no other commands
    QTimer m_poll;
    std::optional<SentinelAnswer> m_answer;
    std::optional<Error> m_error;
    bool m_asked = false;
    bool m_again = false; ///< ask again after the question under way
    bool m_subscribed = false;
    bool m_subscribable = true; ///< false: this user may not subscribe
};

} // namespace lk
