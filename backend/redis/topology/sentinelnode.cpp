// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/sentinelnode.h"

#include "backend/redis/topology/sentinelreplies.h"

#include <algorithm>

namespace lk {

namespace {

using Phase = ConnectionStatus::Phase;

// The pause between questions to a Sentinel that reports failovers itself, and to one that does
// not.
constexpr int subscribedPollMs = 5000;
constexpr int polledMs = 500;

Connection::Options options()
{
    Connection::Options options;
    options.maxReplyBytes = 1024 * 1024; // a thousandth is usual for a Sentinel
    options.maxElements = 100'000;
    return options;
}

} // namespace

SentinelNode::SentinelNode(const ServerUrl& group, ServerUrl::Address address, bool learned,
                           QByteArray id, QObject* parent)
    : QObject(parent)
    , m_masterName(group.masterName)
    , m_address(std::move(address))
    , m_learned(learned)
    , m_id(std::move(id))
    , m_connection(group.sentinelAt(m_address), options())
    , m_news(group.sentinelAt(m_address), options())
    , m_poll(this)
{
    m_poll.setInterval(polledMs);
    connect(&m_poll, &QTimer::timeout, this, &SentinelNode::query);
    connect(&m_connection, &Connection::statusChanged, this, &SentinelNode::onStatus);
    connect(&m_news, &Connection::statusChanged, this, &SentinelNode::onNewsStatus);
    connect(&m_news, &Connection::pushed, this, &SentinelNode::onNews);
}

void SentinelNode::open()
{
    m_asked = true;
    m_connection.open();
}

void SentinelNode::setPassword(const QString& user, const QString& password)
{
    m_connection.setPassword(user, password);
    m_news.setPassword(user, password);
}

void SentinelNode::ask()
{
    if (m_connection.status().phase == Phase::Lost) {
        m_asked = true;
        m_connection.retryNow();
    } else {
        query();
    }
}

void SentinelNode::onStatus(const ConnectionStatus& status)
{
    if (status.phase == Phase::Ready) {
        m_subscribable = true;
        m_poll.start();
        query();
    } else if (status.phase == Phase::Lost) {
        m_poll.stop();
        m_asked = false;
        m_again = false;
        m_answer.reset();
        m_error = status.error;
        emit answered();
    }
}

void SentinelNode::query()
{
    if (!m_connection.isReady())
        return;
    if (m_connection.batchesUnderWay() > 0) {
        m_again = true; // the reply under way may be outdated
        return;
    }
    m_asked = true;
    m_again = false;
    m_connection.send(SentinelAnswer::commands(m_masterName), this,
                      [this](const BatchResult& result) { take(result); });
}

void SentinelNode::take(const BatchResult& result)
{
    if (!result) // the connection reports the loss itself
        return;
    m_asked = false;
    Result<SentinelAnswer> answer = SentinelAnswer::fromReplies(*result);
    if (answer) {
        if (!answer->id.isEmpty())
            m_id = answer->id;
        m_answer = std::move(*answer);
        m_error.reset();
        if (m_subscribable)
            m_news.open();
    } else {
        m_answer.reset();
        m_error = answer.error();
    }
    if (m_again)
        query();
    emit answered();
}

void SentinelNode::onNewsStatus(const ConnectionStatus& status)
{
    if (status.phase != Phase::Ready)
        return setSubscribed(false);
    std::vector<Command> commands;
    for (const QByteArray& channel : SentinelAnswer::channels())
        commands.push_back({"SUBSCRIBE", channel});
    m_news.send(commands, this, [this](const BatchResult& result) {
        if (!result)
            return;
        m_subscribable = std::none_of(result->begin(), result->end(),
                                      [](const Reply& reply) { return reply.isError(); });
        if (!m_subscribable)
            return m_news.close();
        setSubscribed(true);
        query(); // earlier messages were missed
    });
}

void SentinelNode::setSubscribed(bool on)
{
    m_subscribed = on;
    const int interval = on ? subscribedPollMs : polledMs;
    if (m_poll.interval() != interval)
        m_poll.setInterval(interval);
}

// "mymaster 10.0.0.5 6379 10.0.0.6 6379", "slave 10.0.0.6:6379 10.0.0.6 6379 @ mymaster ...". Only
// triggers a question, as only an answer contains the epoch.
void SentinelNode::onNews(const Reply& message)
{
    if (message.items.size() == 3 &&
        message.items[2].text.split(' ').contains(m_masterName.toUtf8()))
        query();
}

} // namespace lk
