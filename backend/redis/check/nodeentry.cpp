// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/check/nodeentry.h"

#include "backend/redis/sshtunnel.h"
#include "backend/redis/topology/sentinelreplies.h"
#include "backend/redis/transport.h"

#include <QHostAddress>

#include <algorithm>

namespace lk {

namespace {

using Id = CheckStage::Id;
using Phase = ConnectionStatus::Phase;
using Scheme = ServerUrl::Scheme;

Connection::Options onlyOnce(int timeoutMs)
{
    Connection::Options options;
    options.reconnect = false;
    options.connectTimeoutMs = timeoutMs;
    options.batchTimeoutMs = timeoutMs;
    return options;
}

std::vector<Id> wayTo(const ServerUrl& url)
{
    if (url.scheme == Scheme::Unix)
        return {Id::Socket, Id::Login};
    std::vector<Id> way;
    if (!url.sshJump.isEmpty())
        way.push_back(Id::Ssh);
    else if (QHostAddress(url.host).isNull())
        way.push_back(Id::Name);
    way.push_back(Id::Tcp);
    if (url.scheme == Scheme::Tls)
        way.push_back(Id::Tls);
    way.push_back(Id::Login);
    return way;
}

} // namespace

NodeEntry::NodeEntry(const ServerUrl& url, int timeoutMs, QObject* parent)
    : QObject(parent)
    , m_connection(url, onlyOnce(timeoutMs), this)
    , m_left(wayTo(url))
{
    connect(&m_connection, &Connection::statusChanged, this, &NodeEntry::onStatus);
}

void NodeEntry::start()
{
    m_since.start();
    m_connection.open();
}

void NodeEntry::onStatus(const ConnectionStatus& status)
{
    const bool throughSsh = !m_connection.url().sshJump.isEmpty();
    switch (status.phase) {
    case Phase::Closed:
        return;
    case Phase::Resolving:
        // The connection's only child of that type is the transport that connects now.
        m_transport = m_connection.findChild<Transport*>({}, Qt::FindDirectChildrenOnly);
        connect(m_transport, &Transport::reached, this,
                [this, throughSsh] { advanceTo(throughSsh ? Id::Tcp : Id::Tls); });
        return;
    case Phase::Connecting:
        return throughSsh ? void() : advanceTo(Id::Tcp);
    case Phase::Authenticating:
        // Through ssh without TLS, bytes are written before any server has answered.
        if (!throughSsh || m_connection.url().scheme == Scheme::Tls)
            advanceTo(Id::Login);
        return;
    case Phase::Ready:
        advanceTo(Id::Sentinel); // after all previous stages
        emit entered();
        return;
    case Phase::Lost:
        onLost(status.error);
    }
}

// Marks all stages before that one as successful. Only the last of them took the time.
void NodeEntry::advanceTo(Id id)
{
    while (!m_left.empty() && m_left.front() < id) {
        const Id done = m_left.front();
        m_left.erase(m_left.begin());
        const bool last = m_left.empty() || m_left.front() >= id;
        const double ms = last ? double(m_since.nsecsElapsed()) / 1e6 : -1;
        emit stageDone({done, CheckStage::Outcome::Ok, ms, foundText(done), {}});
    }
    m_since.start();
}

void NodeEntry::onLost(const Error& error)
{
    const double ms = double(m_since.nsecsElapsed()) / 1e6;
    const Id at = stageOf(error);
    advanceTo(at);
    const ServerUrl& url = m_connection.url();
    const Error told =
        m_isSentinel ? ofSentinel(error, ServerUrl::Address{url.host, url.port}.text()) : error;
    emit stageDone(failedStage(at, ms, told));
    emit failed(told);
}

// The stage follows from the error if possible, else it is the one under way.
Id NodeEntry::stageOf(const Error& error) const
{
    const bool throughSsh = !m_connection.url().sshJump.isEmpty();
    switch (error.code) {
    case ErrorCode::NameNotFound:
        return throughSsh ? Id::Tcp : Id::Name;
    case ErrorCode::TlsFailed:
    case ErrorCode::TlsUnavailable:
    case ErrorCode::TlsWanted:
    case ErrorCode::NoTlsThere:
    case ErrorCode::CertificateWanted:
        return Id::Tls;
    default:
        break;
    }
    const SshTunnel* tunnel = m_transport ? m_transport->tunnel() : nullptr;
    if (tunnel && tunnel->failedBehindJump())
        return Id::Tcp;
    return m_left.empty() ? Id::Login : m_left.front();
}

QString NodeEntry::foundText(Id id) const
{
    const ServerUrl& url = m_connection.url();
    switch (id) {
    case Id::Name:
        return url.host;
    case Id::Ssh:
        return url.sshJump;
    case Id::Tcp:
        return ServerUrl::Address{url.host, url.port}.text();
    case Id::Socket:
        return url.path;
    case Id::Tls:
        return tr("The certificate is for %1 and is trusted")
            .arg(url.serverName.isEmpty() ? url.host : url.serverName);
    default:
        break;
    }
    if (!url.user.isEmpty())
        return tr("As user %1").arg(url.user);
    return url.password.isEmpty() ? tr("No password is required") : tr("With a password");
}

} // namespace lk
