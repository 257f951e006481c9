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

/// A private redis-server for the demo. It listens on a unix socket in its own folder and writes
/// nothing to disk. It has a port only as a node of a cluster. Process and folder are removed with
/// this object; on Linux the process also ends when this one is killed. The system ties that to the
/// thread that started the process, so start it in the main thread.
class DemoServer final : public QObject
{
    Q_OBJECT

public:
    /// How the server is started.
    struct Options
    {
        quint16 port = 0;       ///< port on 127.0.0.1; 0: none
        QString password = {};  ///< empty: none
        bool clustered = false; ///< a node of a cluster, initially without slots
    };

    explicit DemoServer(QObject* parent = nullptr);
    explicit DemoServer(Options options, QObject* parent = nullptr);
    /// Kills the server, which takes a few milliseconds, and removes the folder.
    ~DemoServer() override;

    /// Returns at once; ready() or failed() follows. Must be called only once.
    void start();

    bool isReady() const { return m_ready; }
    /// The server's URL. Complete once ready.
    const ServerUrl& url() const { return m_url; }
    quint16 port() const { return m_options.port; }
    /// 0 while it is not running.
    qint64 processId() const { return m_process.processId(); }
    /// The folder that contains the socket; empty before it is created.
    QString folder() const;

signals:
    /// The server answers on its socket.
    void ready();
    /// The server could not be started (NotInstalled, FileError, Timeout), or it ended by itself,
    /// which may also happen after ready() (Network).
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
