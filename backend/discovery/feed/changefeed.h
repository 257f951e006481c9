// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace lk {

/// How the console learns of changes.
struct FeedStatus
{
    /// By what means it learns of them.
    enum class Mode : quint8 {
        Starting,
        Tracking,      ///< CLIENT TRACKING BCAST, redirected to a connection of its own
        Notifications, ///< keyspace notifications, which the server already had on
        PollingOnly,   ///< neither: a slow scan finds changes
    };
    Mode mode = Mode::Starting;
    int prefixes = 0;
    qint64 bytesPerSecond = 0; ///< received over the feed's own connection
    QString reason;            ///< with PollingOnly or polled: why; translated
    QStringList polled = {};   ///< of several nodes that answer, those without a feed

    bool operator==(const FeedStatus&) const = default;
};

/// Tells which keys changed, without touching the server's configuration. Limited to prefixes
/// and to a budget of bytes; above it the feed is turned off for a while. Lives in the I/O thread.
class ChangeFeed final : public QObject
{
    Q_OBJECT

public:
    /// control is the connection that tracking is turned on for; not owned.
    ChangeFeed(Link& control, const ServerUrl& url, QObject* parent = nullptr);
    ~ChangeFeed() override;

    void start();
    void stop();
    void setPassword(const QString& user, const QString& password);
    /// The first take effect at once, others within a second; the feed is set up again only where
    /// they differ. Above the budget the narrower ones, if any are given, are tried before the feed
    /// gives way.
    void setPrefixes(std::vector<QByteArray> prefixes, std::vector<QByteArray> narrower = {});
    /// Bytes a second that the feed may cost; 256 KiB unless set.
    void setBudget(qint64 bytesPerSecond) { m_budget = bytesPerSecond; }

    const FeedStatus& status() const { return m_status; }
    /// Grows whenever the server has confirmed what it tells of: nothing is known of what happened
    /// before. 0: no feed.
    quint64 epoch() const;
    /// Tells one unbroken time of hearing about every write to keys that start with that name's
    /// prefix from another; 0: such a write may go unheard now.
    quint64 epochOf(const QByteArray& key) const;
    TrafficCounts traffic() const { return m_connection.traffic(); }

signals:
    void epochBegan(); ///< epoch() has grown: the server has just confirmed what it tells of
    void keysChanged(const QList<QByteArray>& keys);
    /// The whole database was emptied, or more happened than is told one by one.
    void everythingChanged();
    void statusChanged(const lk::FeedStatus& status);

private:
    void onReady();
    void onControlReady();
    void subscribeTracking(qint64 clientId);
    void turnTrackingOn();
    void tryNotifications(const QString& whyNoTracking);
    void subscribeNotifications();
    QByteArray channelPattern(const QByteArray& prefix) const;
    std::vector<Command> unsubscribeAll() const;
    const std::vector<QByteArray>& wanted() const;
    void follow();
    void giveWay();
    void pollOnly(const QString& reason);
    void onPushed(const Reply& message);
    void measure();
    void setStatus(FeedStatus status);
    void confirm(FeedStatus::Mode mode);

    Link& m_control;
    Connection m_connection;
    QTimer m_second;
    FeedStatus m_status;
    std::vector<QByteArray> m_prefixes;
    std::vector<QByteArray> m_narrower;
    std::vector<QByteArray> m_active; ///< what the server was told last
    qint64 m_clientId = -1;
    QByteArray m_invalidations; ///< the channel, while it is subscribed to
    qint64 m_budget = 256 * 1024;
    qint64 m_lastBytes = 0;
    int m_secondsOver = 0;
    int m_secondsQuiet = 0;  ///< since anything came over the feed's connection
    int m_secondsNarrow = 0; ///< left with the narrower prefixes after the others cost too much
    int m_coolDown = 0;      ///< seconds until the feed is tried again after it was over budget
    bool m_setUp = false;
    bool m_coversEveryWrite = true; ///< of notifications: every class of events is on
    quint64 m_epoch = 0;            ///< grows each time the server has confirmed what it tells of
    bool m_confirmed = false;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::FeedStatus)
