// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"
#include "backend/redis/topology/sentinelreplies.h"

#include <QTimer>

namespace lk {

/// One Sentinel: what it says of the group, asked anew whenever it tells that the master is another
/// and every now and then besides. Reconnects by itself. Lives in the thread that made it.
class SentinelNode final : public QObject
{
    Q_OBJECT

public:
    /// learned: its address is another Sentinel's word. id: that it is said to have.
    SentinelNode(const ServerUrl& group, ServerUrl::Address address, bool learned, QByteArray id,
                 QObject* parent = nullptr);

    void open();
    /// From the next try on.
    void setPassword(const QString& user, const QString& password);
    /// Asks now; told() follows, unless it cannot be reached and waits to be.
    void ask();

    const ServerUrl::Address& address() const { return m_address; }
    bool isLearned() const { return m_learned; }
    const QByteArray& id() const { return m_id; }
    /// Nothing while it is asked for the first time, and while it cannot be had.
    const std::optional<SentinelAnswer>& answer() const { return m_answer; }
    /// Why there is no answer; nothing while there is one, or none can be expected yet.
    const std::optional<Error>& error() const { return m_error; }
    /// A question is under way.
    bool isAsked() const { return m_asked; }
    /// Whether it tells by itself that the master is another.
    bool isSubscribed() const { return m_subscribed; }

signals:
    /// answer() or error() is new.
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
    Connection m_news; ///< subscribed: a second one, as that takes no other commands
    QTimer m_poll;
    std::optional<SentinelAnswer> m_answer;
    std::optional<Error> m_error;
    bool m_asked = false;
    bool m_again = false; ///< asked for once more while a question is under way
    bool m_subscribed = false;
    bool m_subscribable = true; ///< false: this user may not
};

} // namespace lk
