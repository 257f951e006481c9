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

/// A redis-server for a test: empty, saves nothing, and listens on a unix socket in a folder that
/// is removed with it. It is killed with this object, and by the system if the test crashes. Use
/// one per test class: start() in initTestCase(), flush() in init().
class RedisServer final
{
public:
    /// arguments: additional ones for redis-server, such as {"--maxmemory", "1mb"}.
    explicit RedisServer(QStringList arguments = {});
    ~RedisServer();
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    /// Call before start(): also listens on a free port of 127.0.0.1; see tcpUrl().
    void addTcp();
    void setArguments(QStringList arguments) { m_arguments = std::move(arguments); }
    /// Call before start(): runs another program than PATH's redis-server.
    void setProgram(QString program) { m_program = std::move(program); }

    /// Waits until it answers PING. Returns false on failure; see output(). After stop() it uses
    /// the same folder, socket and port again. The first start takes another port if that one is
    /// taken.
    bool start();
    /// Returns once the process runs, for servers that load for a while.
    bool startWithoutWaiting();
    void stop();   ///< by SIGKILL, like a crash
    void freeze(); ///< by SIGSTOP: connections stay, nothing answers
    void thaw();

    QString folder() const { return m_folder.path(); }
    QString socketPath() const { return m_folder.filePath(QStringLiteral("r.sock")); }
    ServerUrl url() const;
    QString urlText() const { return QStringLiteral("unix://") + socketPath(); }
    ServerUrl tcpUrl() const;
    quint16 port() const { return m_port; }
    const char* output() const { return m_output.constData(); }

    /// Runs a command over a blocking connection of its own, made at the first use.
    Reply run(const Command& command) { return client().run(command); }
    std::vector<Reply> runAll(const std::vector<Command>& c) { return client().runAll(c); }
    /// Calls run(parseCommand(line)) for each. Returns the last reply.
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
