// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/feed/changefeed.h"

#include "backend/core/names/glob.h"
#include "backend/redis/server/capabilities.h"
#include "backend/text/errortext.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr int coolDownSeconds = 30;
constexpr int narrowSeconds = 600;
constexpr int quietSeconds = 15; // after that a PING checks the connection

// The channel on which a server sends the written keys to RESP2 clients.
QByteArray invalidationsOf(const ServerInfo& server)
{
    return server.text("redict_version").isEmpty() ? QByteArrayLiteral("__redis__:invalidate")
                                                   : QByteArrayLiteral("__redict__:invalidate");
}

Connection::Options feedOptions()
{
    Connection::Options options;
    options.clientName = QByteArrayLiteral("lockkeeper-feed");
    return options;
}

// "A" stands for all classes.
bool coversEveryWrite(const QByteArray& flags)
{
    const QByteArray classes = QByteArrayLiteral("g$lshzxe");
    return flags.contains('A') ||
           std::all_of(classes.begin(), classes.end(), [&](char c) { return flags.contains(c); });
}

} // namespace

ChangeFeed::ChangeFeed(Link& control, const ServerUrl& url, QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_connection(url, feedOptions(), this)
    , m_second(this)
{
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &ChangeFeed::measure);
    connect(&m_connection, &Connection::pushed, this, &ChangeFeed::onPushed);
    connect(&m_connection, &Connection::statusChanged, this,
            [this](const ConnectionStatus& status) {
                if (status.phase == ConnectionStatus::Phase::Ready)
                    onReady();
                else if (status.phase == ConnectionStatus::Phase::Lost)
                    pollOnly(tr("the change feed's connection was lost"));
            });
    // Tracking belongs to the control connection, so it ends with it and has to be enabled again.
    connect(&m_control, &Link::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase != ConnectionStatus::Phase::Ready)
            m_confirmed = false;
        else if (m_connection.isReady())
            onControlReady();
    });
}

ChangeFeed::~ChangeFeed() = default;

void ChangeFeed::start()
{
    setStatus({});
    m_connection.open();
    m_second.start();
}

void ChangeFeed::stop()
{
    m_second.stop();
    m_connection.close();
    m_setUp = false;
}

void ChangeFeed::setPassword(const QString& user, const QString& password)
{
    m_connection.setPassword(user, password);
}

void ChangeFeed::setPrefixes(std::vector<QByteArray> prefixes, std::vector<QByteArray> narrower)
{
    m_prefixes = std::move(prefixes);
    m_narrower = std::move(narrower);
    if (m_active.empty() && m_coolDown == 0)
        follow(); // states read until then have to be read again
}

const std::vector<QByteArray>& ChangeFeed::wanted() const
{
    return m_secondsNarrow > 0 && !m_narrower.empty() ? m_narrower : m_prefixes;
}

// The feed's own connection has stayed. Its subscriptions still hold, and it may send no other
// commands.
void ChangeFeed::onControlReady()
{
    if (!m_setUp)
        return onReady();
    if (m_clientId < 0)
        return;
    m_active.clear();
    turnTrackingOn();
}

void ChangeFeed::onReady()
{
    m_setUp = false;
    m_confirmed = false;
    m_clientId = -1;
    m_active.clear();
    m_lastBytes = m_connection.traffic().bytesReceived;
    if (!mayTry(serverVersion(m_connection.greeting()), Feature::Tracking))
        return tryNotifications(tr("this server has no CLIENT TRACKING by prefixes"));
    m_connection.send({Command{"CLIENT", "ID"}}, this, [this](const BatchResult& result) {
        if (!result)
            return;
        const Reply& id = result->front();
        if (id.isInteger())
            subscribeTracking(id.integer);
        else
            tryNotifications(errorText(errorFromReply(id.text)));
    });
}

void ChangeFeed::subscribeTracking(qint64 clientId)
{
    m_invalidations = invalidationsOf(m_connection.greeting());
    m_connection.send(
        {Command{"SUBSCRIBE", m_invalidations}}, this, [this, clientId](const BatchResult& result) {
            if (!result)
                return;
            if (result->front().isError())
                return tryNotifications(errorText(errorFromReply(result->front().text)));
            m_clientId = clientId;
            m_setUp = true;
            turnTrackingOn();
        });
}

void ChangeFeed::turnTrackingOn()
{
    if (m_clientId < 0 || wanted().empty() || !m_control.isReady())
        return;
    m_active = wanted();
    m_confirmed = false;
    Command on{"CLIENT", "TRACKING", "ON", "REDIRECT", QByteArray::number(m_clientId), "BCAST"};
    for (const QByteArray& prefix : m_active)
        on << QByteArrayLiteral("PREFIX") << prefix;
    on << QByteArrayLiteral("NOLOOP");
    m_control.send({Command{"CLIENT", "TRACKING", "OFF"}, on}, this,
                   [this](const BatchResult& result) {
                       if (!result)
                           return;
                       const Reply& reply = result->back();
                       if (reply.isError())
                           return tryNotifications(errorText(errorFromReply(reply.text)));
                       confirm(FeedStatus::Mode::Tracking);
                   });
}

void ChangeFeed::tryNotifications(const QString& whyNoTracking)
{
    m_clientId = -1;
    m_setUp = false;
    if (!mayTry(serverVersion(m_connection.greeting()), Feature::KeyspaceEvents))
        return pollOnly(whyNoTracking);
    m_control.send({Command{"CONFIG", "GET", "notify-keyspace-events"}}, this,
                   [this, whyNoTracking](const BatchResult& result) {
                       if (!result)
                           return;
                       const Reply& reply = result->front();
                       const QByteArray flags =
                           reply.items.size() == 2 ? reply.items[1].text : QByteArray();
                       // K: messages by key; at least one class of events must be enabled as well.
                       if (flags.contains('K') && flags.size() > 1) {
                           m_setUp = true;
                           m_coversEveryWrite = coversEveryWrite(flags);
                           subscribeNotifications();
                       } else {
                           pollOnly(whyNoTracking);
                       }
                   });
}

QByteArray ChangeFeed::channelPattern(const QByteArray& prefix) const
{
    const QByteArray database = QByteArray::number(m_connection.url().database);
    return "__keyspace@" + database + "__:" + quotedForGlob(prefix) + '*';
}

// One pattern per command, so that each has one reply.
std::vector<Command> ChangeFeed::unsubscribeAll() const
{
    std::vector<Command> batch;
    for (const QByteArray& prefix : m_active)
        batch.push_back(Command{QByteArrayLiteral("PUNSUBSCRIBE"), channelPattern(prefix)});
    return batch;
}

void ChangeFeed::subscribeNotifications()
{
    if (wanted().empty())
        return;
    std::vector<Command> batch = unsubscribeAll();
    m_active = wanted();
    m_confirmed = false;
    for (const QByteArray& prefix : m_active)
        batch.push_back(Command{QByteArrayLiteral("PSUBSCRIBE"), channelPattern(prefix)});
    m_connection.send(std::move(batch), this, [this](const BatchResult& result) {
        if (!result)
            return;
        if (result->back().isError())
            return pollOnly(errorText(errorFromReply(result->back().text)));
        confirm(FeedStatus::Mode::Notifications);
    });
}

void ChangeFeed::confirm(FeedStatus::Mode mode)
{
    ++m_epoch;
    m_confirmed = mode == FeedStatus::Mode::Tracking || m_coversEveryWrite;
    FeedStatus status = m_status;
    status.mode = mode;
    status.prefixes = int(m_active.size());
    status.reason.clear();
    setStatus(status);
    emit epochBegan();
}

quint64 ChangeFeed::epoch() const
{
    const bool fed = m_status.mode == FeedStatus::Mode::Tracking ||
                     m_status.mode == FeedStatus::Mode::Notifications;
    return fed ? m_epoch : 0;
}

quint64 ChangeFeed::epochOf(const QByteArray& key) const
{
    const bool covered =
        m_confirmed && std::any_of(m_active.begin(), m_active.end(), [&](const QByteArray& prefix) {
            return key.startsWith(prefix);
        });
    return covered ? m_epoch : 0;
}

void ChangeFeed::pollOnly(const QString& reason)
{
    m_confirmed = false;
    FeedStatus status = m_status;
    status.mode = FeedStatus::Mode::PollingOnly;
    status.prefixes = 0;
    status.reason = reason;
    setStatus(status);
}

void ChangeFeed::onPushed(const Reply& message)
{
    if (message.items.size() < 3)
        return;
    const QByteArray& type = message.items[0].text;
    if (type == "message" && message.items[1].text == m_invalidations) {
        QList<QByteArray> keys;
        for (const Reply& key : message.items[2].items)
            keys.append(key.text);
        if (message.items[2].isNil())
            emit everythingChanged();
        else if (!keys.isEmpty())
            emit keysChanged(keys);
    } else if (type == "pmessage" && message.items.size() == 4) {
        const QByteArray& channel = message.items[2].text;
        emit keysChanged({channel.mid(channel.indexOf(':') + 1)});
    }
}

void ChangeFeed::measure()
{
    const qint64 bytes = m_connection.traffic().bytesReceived;
    FeedStatus status = m_status;
    status.bytesPerSecond = bytes - std::exchange(m_lastBytes, bytes);
    setStatus(status);
    m_secondsQuiet = status.bytesPerSecond > 0 ? 0 : m_secondsQuiet + 1;
    if (m_secondsQuiet >= quietSeconds && m_connection.isReady()) {
        m_secondsQuiet = 0;
        m_connection.send({Command{"PING"}}, this, [](const BatchResult&) {});
    }

    m_secondsOver = epoch() != 0 && status.bytesPerSecond > m_budget ? m_secondsOver + 1 : 0;
    m_secondsNarrow = std::max(0, m_secondsNarrow - 1);
    if (m_secondsOver >= 2) {
        m_secondsOver = 0;
        if (m_secondsNarrow > 0 || m_narrower.empty() || m_narrower == m_prefixes)
            return giveWay();
        m_secondsNarrow = narrowSeconds;
    }
    if (m_coolDown > 0 && --m_coolDown > 0)
        return;
    follow();
}

void ChangeFeed::follow()
{
    if (!m_setUp || !m_connection.isReady() || !m_control.isReady() || m_active == wanted())
        return;
    if (m_clientId >= 0)
        turnTrackingOn();
    else
        subscribeNotifications();
}

void ChangeFeed::giveWay()
{
    m_coolDown = coolDownSeconds;
    pollOnly(tr("the change feed exceeded its budget of %1 per second")
                 .arg(QLocale().formattedDataSize(m_budget, 0, QLocale::DataSizeSIFormat)));
    if (m_clientId >= 0)
        m_control.send({Command{"CLIENT", "TRACKING", "OFF"}}, this, [](const BatchResult&) {});
    else
        m_connection.send(unsubscribeAll(), this, [](const BatchResult&) {});
    m_active.clear();
}

void ChangeFeed::setStatus(FeedStatus status)
{
    if (status == m_status)
        return;
    m_status = std::move(status);
    emit statusChanged(m_status);
}

} // namespace lk
