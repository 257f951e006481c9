// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/redis/url.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace lk {

class SentinelNode;
struct SentinelAnswer;

/// Finds the master of a Sentinel group. Asks all Sentinels of the URL and those that they know.
/// Subscribes to each one that reports failovers (+switch-master), and asks the others twice a
/// second. The newest configuration counts, so a Sentinel that lags behind is ignored. Only reads.
/// Lives in the thread that made it.
class SentinelWatch final : public QObject
{
    Q_OBJECT

public:
    explicit SentinelWatch(ServerUrl url, QObject* parent = nullptr);
    ~SentinelWatch() override;

    void open();
    void close();
    /// Sets the Sentinels' own login, from the next ask() on.
    void setPassword(const QString& user, const QString& password);
    /// Asks the Sentinels. masterFound or failed is emitted once for all calls until then. Callers
    /// that cannot reach the master ask at once, so it asks at most a few times a second, and less
    /// often after a few seconds.
    void ask();

    /// The number of Sentinels that answer, and how many of these report failovers on their own.
    int answering() const;
    int subscribed() const;

signals:
    /// Emitted when the master is first known, when it changes, and after ask(). The address is the
    /// announced one; ServerUrl::at() returns where it is reached. The server may not know yet that
    /// it is the master.
    void masterFound(const lk::ServerUrl::Address& address);
    /// No Sentinel answers, or none knows that group. The error contains which were asked and why
    /// each cannot help. Emitted once for each reason, and after ask().
    void failed(const lk::Error& error);

private:
    void add(const ServerUrl::Address& address, bool learned, const QByteArray& id);
    void onAnswered(SentinelNode* node);
    void learn(const SentinelAnswer& answer);
    void forgetTwinOf(const SentinelNode& node);
    void queryAll();
    void chooseMaster();
    void accept(const ServerUrl::Address& master, qint64 configEpoch);
    void fail();
    Error whyNone() const;

    ServerUrl m_url;
    std::vector<SentinelNode*> m_nodes; ///< children
    std::optional<ServerUrl::Address> m_master;
    qint64 m_configEpoch = -1;    ///< the epoch of the configuration that named it
    std::optional<Error> m_error; ///< the error emitted last
    QTimer m_grace;               ///< how long to wait for Sentinels that have not answered yet
    QTimer m_queryTimer;
    QElapsedTimer m_sinceQuery;
    int m_queriesInRow = 0;
    bool m_open = false;
    bool m_owed = false; ///< a signal must follow ask()
    bool m_graceOver = false;
};

} // namespace lk
