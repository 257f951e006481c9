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
    /// The mechanism that reports changes.
    enum class Mode : quint8 {
        Starting,
        Tracking,      ///< CLIENT TRACKING BCAST, redirected to a separate connection
        Notifications, ///< keyspace notifications that the server has already enabled
        PollingOnly,   ///< neither; a slow scan finds changes
    };
    Mode mode = Mode::Starting;
    int prefixes = 0;
    qint64 bytesPerSecond = 0; ///< received over the feed's own connection
    QString reason;            ///< with PollingOnly or polled: the reason; translated
    QStringList polled = {};   ///< with several nodes: those that answer but have no feed

    bool operator==(const FeedStatus&) const = default;
};

/// Reports which keys changed, without changes to the server's configuration. Limited to prefixes
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
    /// The first prefixes take effect at once, later ones within a second. The feed is set up again
    /// only if they differ. Above the budget the feed tries the narrower prefixes, if any, before
    /// it is turned off.
    void setPrefixes(std::vector<QByteArray> prefixes, std::vector<QByteArray> narrower = {});
    /// The most bytes per second that the feed may receive; 256 KiB by default.
    void setBudget(qint64 bytesPerSecond) { m_budget = bytesPerSecond; }

    const FeedStatus& status() const { return m_status; }
    /// Grows each time the server confirms the feed; earlier changes may have been missed. 0: no
    /// feed.
    quint64 epoch() const;
    /// Identifies a period without gaps, in which the feed reports every write to keys with that
    /// name's prefix. 0: such a write may be missed now.
    quint64 epochOf(const QByteArray& key) const;
    TrafficCounts traffic() const { return m_connection.traffic(); }

signals:
    void epochBegan(); ///< epoch() has grown: the server has just confirmed the feed
    void keysChanged(const QList<QByteArray>& keys);
    /// The database was flushed, or there were too many changes to report each key.
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
    std::vector<QByteArray> m_active; ///< the prefixes that the server was last given
    qint64 m_clientId = -1;
    QByteArray m_invalidations; ///< the channel, while subscribed
    qint64 m_budget = 256 * 1024;
    qint64 m_lastBytes = 0;
    int m_secondsOver = 0;
    int m_secondsQuiet = 0; ///< since the last data on the feed's connection
    int m_secondsNarrow =
        0;              ///< left with the narrower prefixes, after the others exceeded the budget
    int m_coolDown = 0; ///< seconds until the feed is tried again after it was over budget
    bool m_setUp = false;
    bool m_coversEveryWrite = true; ///< notifications: every class of events is enabled
    quint64 m_epoch = 0;            ///< grows each time the server confirms the feed
    bool m_confirmed = false;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::FeedStatus)
