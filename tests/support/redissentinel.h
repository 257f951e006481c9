// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <array>

namespace lk::test {

/// One real Sentinel, on a free port of this machine; killed with this object.
class SentinelProcess final
{
public:
    SentinelProcess();
    ~SentinelProcess();
    SentinelProcess(const SentinelProcess&) = delete;
    SentinelProcess& operator=(const SentinelProcess&) = delete;

    /// With further lines of its configuration. After stop(): with what it knew. host: that it
    /// listens on.
    bool start(const QByteArray& configuration, const QString& host = QStringLiteral("127.0.0.1"));
    bool startAgain();
    void stop();   ///< by SIGKILL
    void freeze(); ///< by SIGSTOP: connections stay, nothing answers
    void thaw();

    quint16 port() const { return m_port; }
    ServerUrl::Address address() const { return {m_host, m_port}; }
    /// Over a blocking connection of its own.
    Reply run(const Command& command);
    /// A field of SENTINEL MASTER.
    QByteArray masterField(const QByteArray& field);
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    QByteArray m_user;
    QByteArray m_password;
    QString m_host = QStringLiteral("127.0.0.1");
    quint16 m_port = 0;
    std::unique_ptr<RespClient> m_client;
};

/// A master, two replicas and three Sentinels that watch them as "mymaster": a failover begins
/// after the master has been silent for half a second.
class RedisSentinel final
{
public:
    static constexpr int size = 3;

    /// Call before start(): the passwords of the Sentinels and of the servers.
    void setSentinelPassword(const QByteArray& password) { m_sentinelPassword = password; }
    void setPassword(const QByteArray& password) { m_password = password; }
    /// Call before start(), with a password for the Sentinels: it becomes that user's password, and
    /// the Sentinels accept no other user.
    void setSentinelUser(const QByteArray& user) { m_sentinelUser = user; }
    /// Call before start(): the Sentinels exchange changes several times a second, and a failover
    /// may follow another one after seconds, for tests of several failovers. A master has to be
    /// silent for three seconds, so that one that is merely slow on a busy machine stays the
    /// master: each such failover would be followed by others at once.
    void setQuick() { m_isQuick = true; }
    /// Call before start(): the only address of all processes.
    void setHost(const QString& host) { m_host = host; }
    /// Waits until all know of each other; returns false on failure.
    bool start();

    /// The URL of all three, or of the first ones.
    ServerUrl url(int sentinels = size) const;
    RedisServer& server(int i) { return *m_servers[size_t(i)]; }
    /// Uses a connection of its own: a Sentinel closes all others of a server that changes its
    /// role.
    Reply line(int server, const QByteArray& command);
    Reply lineOnMaster(const QByteArray& command) { return line(masterIndex(), command); }
    SentinelProcess& sentinel(int i) { return m_sentinels[size_t(i)]; }
    ServerUrl::Address addressOf(int server) const;
    /// The server that a Sentinel names and that says of itself that it is the master; -1: none.
    int masterIndex();
    /// The same as an address, as the Sentinels name it.
    ServerUrl::Address masterAddress() { return addressOf(masterIndex()); }

    /// Asks the first Sentinel that runs for a failover, and waits for the other master.
    bool failover();
    void killMaster();       ///< by SIGKILL
    bool startKilled();      ///< and waits until it is a replica
    void freeze(int server); ///< by SIGSTOP
    void thaw();
    /// Waits until the Sentinels that run agree on another master than that server's, which has
    /// taken over and has its replicas.
    bool waitForOtherMaster(int server);

private:
    QByteArray configuration() const;
    /// The Sentinels that run agree on the master, and it has its replicas.
    bool isWhole();

    QByteArray m_password;
    QByteArray m_sentinelPassword;
    QByteArray m_sentinelUser;
    QString m_host = QStringLiteral("127.0.0.1");
    bool m_isQuick = false;
    std::array<std::unique_ptr<RedisServer>, size> m_servers;
    std::array<bool, size> m_silent{}; ///< killed or frozen: nothing is asked of it
    std::array<SentinelProcess, size> m_sentinels;
};

} // namespace lk::test
