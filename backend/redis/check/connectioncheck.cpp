// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/check/connectioncheck.h"

#include "backend/redis/permissions/permissiontexts.h"
#include "backend/redis/server/capabilities.h"
#include "backend/redis/topology/router.h"
#include "backend/redis/topology/sentinelwatch.h"
#include "backend/text/errortext.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

using Id = CheckStage::Id;
using Outcome = CheckStage::Outcome;
using Deployment = ServerUrl::Deployment;
using Phase = ConnectionStatus::Phase;

bool saysCluster(const ServerInfo& info)
{
    return info.mode() == ServerMode::Cluster;
}

} // namespace

ConnectionCheck::ConnectionCheck(ServerUrl url, int timeoutMs, QObject* parent)
    : QObject(parent)
    , m_url(std::move(url))
    , m_timeoutMs(timeoutMs)
    , m_deadline(this)
{
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(timeoutMs);
}

ConnectionCheck::~ConnectionCheck() = default;

void ConnectionCheck::start()
{
    const std::vector<ServerUrl::Address> addresses = m_url.addresses();
    if (m_url.deployment == Deployment::Sentinel) {
        for (const ServerUrl::Address& address : addresses)
            m_entries.push_back(m_url.sentinelAt(address));
    } else {
        m_entries.push_back(m_url);
        m_entries.back().others.clear();
        for (const ServerUrl::Address& address : m_url.others)
            m_entries.push_back(m_url.at(address));
    }
    enterNext();
}

void ConnectionCheck::enterNext()
{
    const ServerUrl url = m_entries.front();
    m_entries.erase(m_entries.begin());
    m_entry = new NodeEntry(url, m_timeoutMs, this);
    if (m_url.deployment == Deployment::Sentinel && !m_masterFound)
        m_entry->setSentinel();
    connect(m_entry, &NodeEntry::stageDone, this, &ConnectionCheck::add);
    connect(m_entry, &NodeEntry::entered, this, &ConnectionCheck::onEntered);
    connect(m_entry, &NodeEntry::failed, this, &ConnectionCheck::onEntryFailed);
    m_entry->start();
}

void ConnectionCheck::onEntered()
{
    m_entries.clear();
    if (m_url.deployment == Deployment::Sentinel && !m_masterFound)
        askSentinels();
    else
        checkPermissions();
}

// One working entry is enough; entries that are down are reported as well.
void ConnectionCheck::onEntryFailed()
{
    if (m_entries.empty())
        return finish();
    m_stages.back().outcome = Outcome::Warning;
    m_stages.back().error.reset();
    m_entry->disconnect(this);
    m_entry->deleteLater(); // it is the caller
    enterNext();
}

void ConnectionCheck::askSentinels()
{
    m_since.start();
    m_sentinels = new SentinelWatch(m_url, this);
    connect(m_sentinels, &SentinelWatch::masterFound, this, &ConnectionCheck::onMaster);
    connect(m_sentinels, &SentinelWatch::failed, this,
            [this](const Error& error) { fail(Id::Sentinel, error); });
    connect(&m_deadline, &QTimer::timeout, m_sentinels, [this] {
        fail(Id::Sentinel,
             {ErrorCode::Timeout, tr("asking the Sentinels where %1 is").arg(m_url.masterName)});
    });
    m_deadline.start();
    m_sentinels->open();
}

void ConnectionCheck::onMaster(const ServerUrl::Address& address)
{
    m_deadline.stop();
    const int answering = m_sentinels->answering();
    const ServerUrl::Address reached = m_url.mapped(address);
    QString where = address.text();
    if (!(reached == address))
        where = tr("%1, reached as %2").arg(where, reached.text());
    add({Id::Sentinel,
         Outcome::Ok,
         elapsedMs(),
         tr("The master of %1 is %2 (Sentinels that answer: %3)")
             .arg(m_url.masterName, where, QLocale().toString(answering)),
         {}});
    m_sentinels->disconnect(this);
    m_masterFound = true;
    m_entry->deleteLater();
    m_entries = {m_url.at(address)};
    enterNext();
}

// Uses its own connection, since a denied command may end one.
void ConnectionCheck::checkPermissions()
{
    m_since.start();
    m_permissions =
        new AclCheck(m_entry->connection().url(), AclPurpose::Reading, m_timeoutMs, this);
    connect(m_permissions, &AclCheck::failed, this, [this](const Error& error) {
        CheckStage stage = failedStage(Id::Permissions, elapsedMs(), error);
        stage.outcome = Outcome::Warning;
        stage.error.reset();
        add(stage);
        checkRole();
    });
    connect(m_permissions, &AclCheck::finished, this, [this](const AclReport& report) {
        CheckStage stage{Id::Permissions, Outcome::Ok, elapsedMs(), {}, {}};
        const bool lacks = report.lacksAny();
        if (report.askedBy == AclReport::AskedBy::NoUsers)
            stage.text = tr("This version has no ACL users: everything can be read");
        else if (!lacks)
            stage.text = tr("All permissions needed for reading are granted");
        else if (!report.lacking.empty())
            stage.text = tr("%1 of %2 commands that reading needs are denied, as %3. %4 All of "
                            "them: lockkeeper acl URL")
                             .arg(report.lacking.size())
                             .arg(report.asked.size())
                             .arg(QString::fromLatin1(aclRule(report.lacking.front())),
                                  costText(report.lacking.front()));
        else if (report.databaseDenied)
            stage.text = tr("This user may not access database %1: grant it with ACL SETUSER NAME "
                            "db=%1")
                             .arg(*report.databaseDenied);
        else
            stage.text = tr("Not all keys or channels are allowed. Details: lockkeeper acl URL");
        stage.outcome = lacks ? Outcome::Warning : Outcome::Ok;
        add(stage);
        checkRole();
    });
    m_permissions->start();
}

void ConnectionCheck::checkRole()
{
    m_since.start();
    Connection& connection = m_entry->connection();
    const auto tell = [this](const BatchResult& result) {
        const ServerInfo& info = m_entry->connection().greeting();
        if (!result)
            return fail(Id::Role, result.error());
        m_roundTripMs = m_entry->connection().roundTripMs();
        if (result->front().isInteger())
            m_keys = result->front().integer;
        CheckStage stage{Id::Role, Outcome::Ok, elapsedMs(), summary(), {}};
        const bool misplaced = info.mode() == ServerMode::Sentinel;
        if (info.isReplica() || info.role() == NodeRole::Unknown || misplaced)
            stage.outcome = Outcome::Warning;
        if (misplaced)
            stage.text += tr(". Connect with redis-sentinel://%1/MASTER instead.")
                              .arg(ServerUrl::Address{m_url.host, m_url.port}.text());
        else if (info.isReplica())
            stage.text +=
                tr(". Reading works; to act, connect to its master %1.").arg(info.masterEndpoint());
        else if (info.role() == NodeRole::Unknown)
            stage.text = tr("Unknown: this user may run neither INFO nor ROLE");
        add(stage);
        checkCluster();
    };
    connection.send({{"DBSIZE"}}, this, tell);
}

void ConnectionCheck::checkCluster()
{
    const ServerInfo& info = m_entry->connection().greeting();
    const bool asked = m_url.deployment == Deployment::Cluster ||
                       (m_url.deployment == Deployment::Detect && info.mayBeClusterNode());
    if (!asked)
        return finish();
    m_since.start();
    m_router = new Router(m_url, this);
    connect(m_router, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        // The router tries several entries one after the other.
        const bool over = m_router->followsCluster() || status.nextTryInMs == 0;
        if (status.phase == Phase::Ready || (status.phase == Phase::Lost && over))
            takeCluster(false);
    });
    connect(&m_deadline, &QTimer::timeout, m_router, [this] { takeCluster(true); });
    m_deadline.start();
    m_router->open();
}

void ConnectionCheck::takeCluster(bool timedOut)
{
    m_deadline.stop();
    if (!m_router->followsCluster()) {
        if (m_router->isReady()) // it is no cluster after all
            return finish();
        if (timedOut && m_router->status().phase != Phase::Lost)
            return fail(Id::Cluster, {ErrorCode::Timeout, tr("asking for the cluster's nodes")});
        return fail(Id::Cluster, m_router->status().error);
    }
    QStringList down;
    int all = 0;
    const ClusterMap& map = *m_router->map();
    for (const NodeLink* node : m_router->nodes()) {
        const ClusterMap::Node* facts = map.named(node->endpoint());
        if (facts && !map.counts(*facts)) // it is receiving its first slot
            continue;
        ++all;
        if (!node->isReady())
            down << QStringLiteral("%1 (%2)").arg(node->endpoint(),
                                                  errorText(node->status().error));
    }
    CheckStage stage{
        Id::Cluster, Outcome::Ok, elapsedMs(), tr("All %1 masters can be reached").arg(all), {}};
    if (!down.isEmpty()) {
        stage.outcome = Outcome::Warning;
        stage.text = tr("%1 of %2 masters cannot be reached: %3. If they announce addresses that "
                        "are not reachable from here, map them with ?map=ANNOUNCED=REACHED")
                         .arg(down.size())
                         .arg(all)
                         .arg(down.join(QStringLiteral("; ")));
    }
    m_clusterStage = stage;
    // Asks nodes that answer whether the cluster is down, as any client reading a key would.
    for (int i = 0; i < clusterSlots; ++i) {
        const QByteArray name = "lockkeeper:" + QByteArray::number(i);
        if (!m_router->nodeOf(name).isReady())
            continue;
        return m_router->send({{"TYPE", name}}, this,
                              [this](const BatchResult& result) { endCluster(result); });
    }
    endCluster(tl::unexpected(Error()));
}

void ConnectionCheck::endCluster(const BatchResult& typed)
{
    const UnservedSlots unserved = m_router->map() ? m_router->map()->unserved() : UnservedSlots();
    const bool down = typed && typed->front().isError() &&
                      typed->front().text.startsWith("CLUSTERDOWN The cluster is down");
    if (down)
        return fail(Id::Cluster, {ErrorCode::ClusterDown, unserved.text});
    if (unserved.count > 0) {
        m_clusterStage.outcome = Outcome::Warning;
        m_clusterStage.text += tr(". Slots without an answer: %1 of 16,384: %2")
                                   .arg(QLocale().toString(unserved.count), unserved.text);
    }
    add(m_clusterStage);
    finish();
}

void ConnectionCheck::add(const CheckStage& stage)
{
    m_stages.push_back(stage);
    emit stageDone(stage);
}

void ConnectionCheck::fail(Id id, const Error& error)
{
    if (m_finished)
        return;
    add(failedStage(id, elapsedMs(), error));
    finish();
}

void ConnectionCheck::finish()
{
    m_deadline.stop();
    if (!std::exchange(m_finished, true))
        emit finished();
}

bool ConnectionCheck::hasFailed() const
{
    return error().has_value();
}

bool ConnectionCheck::hasWarnings() const
{
    return std::any_of(m_stages.begin(), m_stages.end(),
                       [](const CheckStage& stage) { return stage.outcome == Outcome::Warning; });
}

std::optional<Error> ConnectionCheck::error() const
{
    return m_stages.empty() ? std::nullopt : m_stages.back().error;
}

QString ConnectionCheck::summary() const
{
    QStringList facts;
    const ServerInfo& info = m_entry->connection().greeting();
    const ServerFacts known = info.facts({});
    if (!known.version.isEmpty())
        facts << flavourTitle(serverVersion(info).flavour) + QLatin1Char(' ') + known.version;
    if (info.isReplica())
        facts << tr("a replica");
    else if (info.role() != NodeRole::Unknown)
        facts << tr("a master");
    if (saysCluster(info))
        facts << tr("a cluster node");
    else if (info.mode() == ServerMode::Sentinel)
        facts << tr("a Sentinel, which stores no keys");
    if (m_roundTripMs >= 0)
        facts << (m_roundTripMs < 0.1
                      ? tr("round trip under 0.1 ms")
                      : tr("round trip %1 ms").arg(QLocale().toString(m_roundTripMs, 'f', 1)));
    if (m_keys >= 0)
        facts << (m_keys == 1 ? tr("1 key") : tr("%1 keys").arg(QLocale().toString(m_keys)));
    return facts.join(QStringLiteral(", "));
}

} // namespace lk
