// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"
#include "tests/support/respclient.h"

#include <QProcess>
#include <QTemporaryDir>

#include <memory>

namespace lk::test {

/// A server that tests/servers/install unpacked, as "valkey-9.1"; empty if it is not there.
QString installedServer(const QString& name);

/// A redis-server of a test's own: empty, nothing saved, on a unix socket in a folder that goes
/// with it. Killed with this object, and by the system should the test crash.
/// Use one per test class: start() in initTestCase(), flush() in init().
class RedisServer final
{
public:
    /// Arguments of redis-server in addition, as {"--maxmemory", "1mb"}.
    explicit RedisServer(QStringList arguments = {});
    ~RedisServer();
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    /// Before start(): listens on a free port of 127.0.0.1 too; see tcpUrl().
    void addTcp();
    void setArguments(QStringList arguments) { m_arguments = std::move(arguments); }
    /// Before start(): another program than PATH's redis-server.
    void setProgram(QString program) { m_program = std::move(program); }

    /// Waits until it answers PING; false with output() saying why. After stop(): the same
    /// folder, socket and port again. Before, it takes another port where that one is taken.
    bool start();
    /// Returns once the process runs: for servers that load for a while.
    bool startWithoutWaiting();
    void stop();   ///< by SIGKILL, as a crash
    void freeze(); ///< by SIGSTOP: connections stay, nothing answers
    void thaw();

    QString folder() const { return m_folder.path(); }
    QString socketPath() const { return m_folder.filePath(QStringLiteral("r.sock")); }
    ServerUrl url() const;
    QString urlText() const { return QStringLiteral("unix://") + socketPath(); }
    ServerUrl tcpUrl() const;
    quint16 port() const { return m_port; }
    const char* output() const { return m_output.constData(); }

    /// Over a blocking connection of its own, made at the first use.
    Reply run(const Command& command) { return client().run(command); }
    std::vector<Reply> runAll(const std::vector<Command>& c) { return client().runAll(c); }
    /// run(parseCommand(line)) for each; the last one's reply.
    Reply lines(std::initializer_list<QByteArray> commands);
    Reply line(const QByteArray& command) { return lines({command}); }
    void flush() { run({"FLUSHALL"}); }

private:
    bool startOnce();
    bool isReady() const;
    RespClient& client();

    QString m_program = QStringLiteral("redis-server");
    QStringList m_arguments;
    QTemporaryDir m_folder;
    QProcess m_process;
    QByteArray m_output;
    quint16 m_port = 0;
    bool m_hasStarted = false;
    std::unique_ptr<RespClient> m_client;
};

} // namespace lk::test
