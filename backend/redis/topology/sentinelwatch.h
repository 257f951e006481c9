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

/// Where the master of a Sentinel group is. Asks all Sentinels of the URL and those that these know
/// of, hears from each that can tell by itself (+switch-master), and asks the others twice a
/// second. What the newest configuration says counts: one that lags behind is not believed.
/// Only reads. Lives in the thread that made it.
class SentinelWatch final : public QObject
{
    Q_OBJECT

public:
    explicit SentinelWatch(ServerUrl url, QObject* parent = nullptr);
    ~SentinelWatch() override;

    void open();
    void close();
    /// The Sentinels' own; from the next ask() on.
    void setPassword(const QString& user, const QString& password);
    /// masterFound or failed follows, once, for all calls until then; at most a few times a second,
    /// as whoever cannot reach the master asks at once; after a few seconds less often.
    void ask();

    /// How many Sentinels answer, and how many of these tell of a failover by themselves.
    int answering() const;
    int subscribed() const;

signals:
    /// When it is known first, when it is another, and after ask(). As announced: ServerUrl::at()
    /// knows where it is reached. It may not know yet that it is the master.
    void masterFound(const lk::ServerUrl::Address& address);
    /// No Sentinel answers, or none knows that group: which were asked, and why each is of no help.
    /// Once for each reason, and after ask().
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
    qint64 m_configEpoch = -1;    ///< of what named it
    std::optional<Error> m_error; ///< that was told last
    QTimer m_grace;               ///< how long those are waited for that have not answered yet
    QTimer m_queryTimer;
    QElapsedTimer m_sinceQuery;
    int m_queriesInRow = 0;
    bool m_open = false;
    bool m_owed = false; ///< a signal, after ask()
    bool m_graceOver = false;
};

} // namespace lk
