// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QObject>
#include <QTcpServer>

#include <memory>
#include <vector>

class QLocalSocket;
class QTcpSocket;

namespace lk::test {

/// Stands between a connection and a real server on a unix socket, and cuts both off after a number
/// of bytes in one direction. In the test's own thread.
class FaultProxy final : public QObject
{
    Q_OBJECT

public:
    explicit FaultProxy(QString serverSocketPath);
    ~FaultProxy() override;

    ServerUrl url() const;

    /// Lets that many more bytes through to the server, then cuts: the rest never arrives there.
    void cutAfterToServer(qint64 bytes) { m_toServerLeft = bytes; }
    /// Lets that many more bytes of replies through, then cuts: what was asked has been done.
    void cutAfterToClient(qint64 bytes) { m_toClientLeft = bytes; }
    /// Lets nothing more through in either direction without closing; healed by heal().
    void stall() { m_stalled = true; }
    /// Keeps back what clients send from the bytes on that hold this word, even if they leave
    /// meanwhile: heal() lets it arrive, late. Replies go on.
    void holdFrom(const QByteArray& word) { m_holdFrom = word; }
    bool isHolding() const { return m_holding; }
    /// Lets data with this word through, but no reply to its sender: the command runs, and its
    /// sender does not learn of it.
    void muteFrom(const QByteArray& word) { m_muteFrom = word; }
    /// Drops the data that is held: it never arrives.
    void dropHeld();
    void cutNow();
    /// No more cuts: later connections work.
    void heal();

    qint64 bytesToServer() const { return m_toServer; }
    qint64 bytesToClient() const { return m_toClient; }
    int connections() const { return m_connections; }

private:
    struct Pair;
    void accept();
    void pump();

    QString m_serverSocketPath;
    QTcpServer m_server;
    std::vector<std::unique_ptr<Pair>> m_pairs;
    qint64 m_toServerLeft = -1; ///< -1: no cut
    qint64 m_toClientLeft = -1;
    qint64 m_toServer = 0;
    qint64 m_toClient = 0;
    int m_connections = 0;
    bool m_stalled = false;
    QByteArray m_holdFrom; ///< empty: holds nothing
    bool m_holding = false;
    QByteArray m_muteFrom; ///< empty: mutes no client
};

} // namespace lk::test
