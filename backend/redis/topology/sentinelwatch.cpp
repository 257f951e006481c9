// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/sentinelwatch.h"

#include "backend/redis/retrypause.h"
#include "backend/redis/topology/sentinelnode.h"
#include "backend/redis/topology/sentinelreplies.h"
#include "backend/text/errortext.h"

#include <algorithm>

namespace lk {

namespace {

// How long the first answer waits for others, which may be newer, and the answers to one ask() for
// each other.
constexpr int graceMs = 300;
constexpr int betweenQueriesMs = 250;
constexpr int longestBetweenMs = 2000;
constexpr int quickQueries = 20;   // in a row
constexpr qint64 rowEndsMs = 5000; // without a query
constexpr size_t maxSentinels = 16;

} // namespace

SentinelWatch::SentinelWatch(ServerUrl url, QObject* parent)
    : QObject(parent)
    , m_url(std::move(url))
    , m_grace(this)
    , m_queryTimer(this)
{
    m_grace.setSingleShot(true);
    m_queryTimer.setSingleShot(true);
    connect(&m_grace, &QTimer::timeout, this, [this] {
        m_graceOver = true;
        chooseMaster();
    });
    connect(&m_queryTimer, &QTimer::timeout, this, &SentinelWatch::queryAll);
}

SentinelWatch::~SentinelWatch() = default;

void SentinelWatch::open()
{
    if (std::exchange(m_open, true))
        return;
    m_owed = true;
    m_graceOver = false;
    m_sinceQuery.start();
    const std::vector<ServerUrl::Address> addresses = m_url.addresses();
    for (const ServerUrl::Address& address : addresses)
        add(address, false, {});
}

void SentinelWatch::close()
{
    m_open = false;
    m_grace.stop();
    m_queryTimer.stop();
    for (SentinelNode* node : std::exchange(m_nodes, {})) {
        node->disconnect(this);
        node->deleteLater(); // it may be the caller
    }
    m_master.reset();
    m_error.reset();
    m_configEpoch = -1;
}

void SentinelWatch::setPassword(const QString& user, const QString& password)
{
    m_url.sentinelUser = user;
    m_url.sentinelPassword = password;
    for (SentinelNode* node : m_nodes)
        node->setPassword(user, password);
}

void SentinelWatch::ask()
{
    if (!m_open || m_queryTimer.isActive())
        return;
    const qint64 since = m_sinceQuery.isValid() ? m_sinceQuery.elapsed() : rowEndsMs;
    m_queriesInRow = since < rowEndsMs ? m_queriesInRow + 1 : 0;
    // Sentinels report a failover themselves, so a caller that keeps asking waits for the same
    // master.
    const int pause =
        m_queriesInRow <= quickQueries
            ? betweenQueriesMs
            : retryPause(m_queriesInRow - quickQueries, betweenQueriesMs, longestBetweenMs);
    m_queryTimer.start(int(std::max<qint64>(pause - since, 0)));
}

void SentinelWatch::queryAll()
{
    m_sinceQuery.start();
    m_owed = true;
    m_graceOver = false;
    m_grace.stop();
    const std::vector<SentinelNode*> nodes = m_nodes; // an answer may add nodes
    for (SentinelNode* node : nodes)
        node->ask();
}

void SentinelWatch::add(const ServerUrl::Address& address, bool learned, const QByteArray& id)
{
    auto* node = new SentinelNode(m_url, address, learned, id, this);
    m_nodes.push_back(node);
    connect(node, &SentinelNode::answered, this, [this, node] { onAnswered(node); });
    node->open();
}

void SentinelWatch::onAnswered(SentinelNode* node)
{
    if (node->answer()) {
        forgetTwinOf(*node);
        learn(*node->answer());
    }
    chooseMaster();
}

void SentinelWatch::learn(const SentinelAnswer& answer)
{
    for (const SentinelAnswer::Other& other : answer.others) {
        const ServerUrl::Address address = m_url.mapped(other.address);
        const bool known = std::any_of(m_nodes.begin(), m_nodes.end(), [&](const auto* node) {
            return node->address() == address || (!other.id.isEmpty() && node->id() == other.id);
        });
        if (!known && m_nodes.size() < maxSentinels)
            add(address, true, other.id);
    }
}

// A Sentinel of the URL may have been learned under another address before it reported its id.
void SentinelWatch::forgetTwinOf(const SentinelNode& node)
{
    if (node.isLearned() || node.id().isEmpty())
        return;
    std::erase_if(m_nodes, [&](SentinelNode* other) {
        const bool twin = other->isLearned() && other->id() == node.id();
        if (twin) {
            other->disconnect(this);
            other->deleteLater();
        }
        return twin;
    });
}

int SentinelWatch::answering() const
{
    return int(std::count_if(m_nodes.begin(), m_nodes.end(),
                             [](const auto* node) { return node->answer().has_value(); }));
}

int SentinelWatch::subscribed() const
{
    return int(std::count_if(m_nodes.begin(), m_nodes.end(), [](const auto* node) {
        return node->answer() && node->isSubscribed();
    }));
}

void SentinelWatch::chooseMaster()
{
    if (!m_open)
        return;
    std::vector<SentinelAnswer> answers;
    for (const SentinelNode* node : m_nodes) {
        if (node->answer())
            answers.push_back(*node->answer());
    }
    const bool awaited = !m_graceOver && std::any_of(m_nodes.begin(), m_nodes.end(),
                                                     [](const auto* n) { return n->isAsked(); });
    if (answers.empty())
        return awaited || m_grace.isActive() ? void() : fail();
    const auto newest =
        std::max_element(answers.begin(), answers.end(), [](const auto& a, const auto& b) {
            return a.configEpoch < b.configEpoch;
        });
    const qint64 epoch = newest->configEpoch;
    const ServerUrl::Address master = *masterOf(answers, m_master);
    // Newer than everything known: no need to wait.
    if (m_master && epoch > m_configEpoch)
        return accept(master, epoch);
    if (awaited && (m_owed || !m_master)) {
        if (!m_grace.isActive())
            m_grace.start(graceMs);
        return;
    }
    // The Sentinels with a newer configuration do not answer now. Only a majority of the others
    // overrides them, as after SENTINEL RESET.
    const auto counted = std::count_if(m_nodes.begin(), m_nodes.end(), [](const auto* node) {
        return node->answer() || !node->isLearned();
    });
    const bool most = qsizetype(answers.size()) * 2 > counted;
    if (m_master && epoch < m_configEpoch && !most)
        return m_owed ? accept(*m_master, m_configEpoch) : void();
    accept(master, epoch);
}

void SentinelWatch::accept(const ServerUrl::Address& master, qint64 configEpoch)
{
    m_grace.stop();
    m_configEpoch = configEpoch;
    const bool owed = std::exchange(m_owed, false) || m_error.has_value();
    m_error.reset();
    if (m_master == master && !owed)
        return;
    if (m_master != master)
        m_queriesInRow = 0;
    m_master = master;
    emit masterFound(master);
}

void SentinelWatch::fail()
{
    const Error error = whyNone();
    const bool owed = std::exchange(m_owed, false);
    if (m_error == error && !owed)
        return;
    m_error = error;
    emit failed(error);
}

Error SentinelWatch::whyNone() const
{
    QStringList reasons;
    QStringList closed; // Sentinels that require a login
    std::optional<Error> login;
    bool transient = false;
    for (const SentinelNode* node : m_nodes) {
        const QString address = node->address().text();
        const Error error =
            node->error().value_or(Error{ErrorCode::Timeout, tr("connecting to %1").arg(address)});
        if (const Error own = ofSentinel(error, address); !(own == error)) {
            closed << address;
            login = login.value_or(own);
        }
        const QString reason = errorText(error);
        reasons << (reason.contains(address) ? reason : address + QLatin1String(": ") + reason);
        transient = transient || isTransient(error);
    }
    if (login) // they do not report whether they know the group
        return {login->code, closed.join(QLatin1String(", "))};
    const QString all = reasons.join(QLatin1String("; "));
    if (transient)
        return {ErrorCode::Network,
                tr("no Sentinel can tell where %1 is (%2)").arg(m_url.masterName, all)};
    return {ErrorCode::NotFound,
            tr("No Sentinel knows the master %1 (%2)").arg(m_url.masterName, all)};
}

} // namespace lk
