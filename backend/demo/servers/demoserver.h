// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/url.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <memory>

class QTemporaryDir;

namespace lk {

class Connection;

/// A private redis-server for the demo: on a unix socket in a folder of its own, nothing written to
/// disk; no port, unless it is to be a node of a cluster. Process and folder go with this object,
/// and on Linux the process also goes when we are killed. The system ties that to the thread that
/// started it: start it in one that lasts, the main thread.
class DemoServer final : public QObject
{
    Q_OBJECT

public:
    /// How the server is started.
    struct Options
    {
        quint16 port = 0;       ///< of 127.0.0.1; 0: none
        QString password = {};  ///< empty: none
        bool clustered = false; ///< a node of a cluster, so far without slots
    };

    explicit DemoServer(QObject* parent = nullptr);
    explicit DemoServer(Options options, QObject* parent = nullptr);
    /// Kills the server, which takes a few milliseconds, and removes the folder.
    ~DemoServer() override;

    /// Returns at once; ready() or failed() follows. Once in the life of the object.
    void start();

    bool isReady() const { return m_ready; }
    /// Where it listens; complete once it is ready.
    const ServerUrl& url() const { return m_url; }
    quint16 port() const { return m_options.port; }
    /// 0 while it does not run.
    qint64 processId() const { return m_process.processId(); }
    /// The folder that holds the socket; empty before that.
    QString folder() const;

signals:
    /// It answers on its socket.
    void ready();
    /// It could not be started (NotInstalled, FileError, Timeout) or it ended by itself, which
    /// may also come after ready() (Network).
    void failed(const lk::Error& error);

private:
    Result<QString> makeFolder();
    void launch(const QString& program);
    void waitForSocket();
    void tryToConnect();
    void ended();
    void fail(Error error);

    Options m_options;
    std::unique_ptr<QTemporaryDir> m_folder; // before m_process: removed after its end
    QProcess m_process;
    QTimer m_retry;
    QElapsedTimer m_sinceStart;
    std::unique_ptr<Connection> m_probe; ///< while waiting for the first answer
    ServerUrl m_url;
    bool m_ready = false;
    bool m_failed = false;
};

} // namespace lk
