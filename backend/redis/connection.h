// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/url.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>

namespace lk {

class ReplyReader;
class Transport;

/// What a connection is doing, as the window shows it.
struct ConnectionStatus
{
    enum class Phase : quint8 { Closed, Resolving, Connecting, Authenticating, Ready, Lost };
    Phase phase = Phase::Closed;
    Error error;            ///< with Lost: why
    qint64 nextTryInMs = 0; ///< with Lost: until the next try by itself; 0: none is planned
    int attempt = 0;        ///< tries since it was last ready
    quint64 generation = 0; ///< grows by one each time it becomes ready

    bool operator==(const ConnectionStatus&) const = default;
};

/// The replies of a batch in the order of its commands, or why they never came.
/// A server's error reply is a Reply of type Error inside; only a lost connection, a deadline or a
/// broken protocol fails the whole batch.
using BatchResult = Result<std::vector<Reply>>;
using BatchHandler = std::function<void(BatchResult)>;

/// What went over the wire so far.
struct TrafficCounts
{
    qint64 commands = 0;
    qint64 bytesSent = 0;
    qint64 bytesReceived = 0;
};

/// One socket to one server: pipelined batches out, replies back in order. Lives in the thread that
/// made it. Sends nothing twice: a batch under way when the connection is lost fails and stays
/// failed. After a loss it reconnects by itself with growing pauses (0.25 s to 15 s, with jitter)
/// unless the error needs a person (password, certificate).
class Connection final : public QObject
{
    Q_OBJECT

public:
    /// What may leave over the socket, whoever asks.
    enum class Access : quint8 {
        ReadOnly, ///< commands that only read, for life; see leavesKeysUntouched()
        Acting,   ///< as ReadOnly, and others through sendActing() in write mode
        Free,     ///< anything: for the clients of the demo, never for the console
    };

    struct Options
    {
        Access access = Access::ReadOnly;
        QByteArray clientName = QByteArrayLiteral("lockkeeper");
        int connectTimeoutMs = 5000; ///< until ready: name, socket, TLS and login together
        int batchTimeoutMs = 5000;   ///< without one complete reply while some are owed
        bool reconnect = true;
        /// Caps on a single reply; what passes them fails the batch with ReplyTooLarge and drops
        /// the connection (the rest of the reply cannot be skipped otherwise).
        qint64 maxReplyBytes = 32 * 1024 * 1024;
        int maxElements = 1'000'000;
        /// The same on the replies of a batch together, as they are kept until the last has come.
        qint64 maxBatchBytes = 96 * 1024 * 1024;
    };

    explicit Connection(ServerUrl url, Options options, QObject* parent = nullptr);
    Connection(ServerUrl url, QObject* parent = nullptr);
    ~Connection() override;

    /// Starts connecting; statusChanged tells how it goes.
    void open();
    /// Fails what is under way with Cancelled and closes; no status but Closed follows.
    void close();
    /// While lost: tries now instead of at the planned time.
    void retryNow();
    void setPassword(const QString& user, const QString& password);

    const ServerUrl& url() const { return m_url; }
    const ConnectionStatus& status() const { return m_status; }
    bool isReady() const { return m_status.phase == ConnectionStatus::Phase::Ready; }
    /// INFO and ROLE as the server told them when it was connected to; empty where they were
    /// denied.
    const ServerInfo& greeting() const { return m_greeting; }
    /// True where reading does not make keys recently used (CLIENT NO-TOUCH). Only a connection
    /// that cannot write asks for it, and only a server that survives it is asked.
    bool leavesKeysUntouched() const { return m_noTouch; }
    TrafficCounts traffic() const { return m_traffic; }
    /// Of the last batch, in milliseconds; -1 before the first.
    double roundTripMs() const { return m_roundTripMs; }
    int batchesUnderWay() const { return int(m_pending.size()); }

    /// Sends the commands in one write. The handler is called exactly once, later, from the event
    /// loop, in this thread; not at all if the context (which lives in this thread too) was
    /// destroyed before. An empty batch and a connection that is not ready fail it at once (still
    /// from the event loop). The handler may send, close or delete the connection.
    /// One channel or pattern per SUBSCRIBE and PSUBSCRIBE: the server confirms each on its own.
    /// A command that may write fails the batch with SessionReadOnly: nothing is sent.
    void send(const std::vector<Command>& commands, QObject* context, BatchHandler handler);

    /// Whether sendActing() may write. Off until a person decides otherwise; for good if ReadOnly.
    void setWriteMode(bool on) { m_writeMode = on && m_options.access == Access::Acting; }
    bool isWriteModeOn() const { return m_writeMode || m_options.access == Access::Free; }
    /// As send(), for what may write; while write mode is off it fails with SessionReadOnly.
    void sendActing(const std::vector<Command>& commands, QObject* context, BatchHandler handler);

signals:
    void statusChanged(const lk::ConnectionStatus& status);
    /// A message that answers no command: after SUBSCRIBE and PSUBSCRIBE.
    void pushed(const lk::Reply& message);

private:
    struct Pending
    {
        size_t expected = 0;
        size_t subscribesAt = 0; ///< index of the first SUBSCRIBE; expected: there is none
        qint64 sentNs = 0;       ///< by m_clock
        QPointer<QObject> context;
        BatchHandler handler;
        std::vector<Reply> replies;
        qint64 bytes = 0; ///< that the replies take
    };

    void sendBatch(const std::vector<Command>& commands, QObject* context, BatchHandler handler);
    void connectNow();
    void setPhase(ConnectionStatus::Phase phase);
    void startHandshake();
    void takeHandshakeReply(const Reply& reply);
    void sayAll(std::vector<Command> handshake);
    void readReplies(bool all);
    bool readMore();
    void takeReply(Reply reply);
    void checkDeadline();
    void connectTimedOut();
    void lose(const Error& error);
    void drop(const Error& error);
    void write(const QByteArray& bytes, size_t commands);

    ServerUrl m_url;
    Options m_options;
    ConnectionStatus m_status;
    TrafficCounts m_traffic;
    double m_roundTripMs = -1;
    Transport* m_transport = nullptr; ///< a child; null while closed or lost
    std::unique_ptr<ReplyReader> m_reader;
    std::deque<Pending> m_pending;
    std::vector<Command> m_handshake; ///< those still unanswered, last first
    int m_fruitless = 0;  ///< times in a row that it was ready and lost without one whole batch
    int m_firstByte = -1; ///< of what this socket brought; -1: nothing yet
    bool m_subscribed = false;
    bool m_writeMode = false;
    bool m_noTouch = false;
    ServerInfo m_greeting;
    quint64 m_epoch = 0; ///< grows with every socket dropped: tells late calls from current ones
    QElapsedTimer m_clock;
    QElapsedTimer m_progress; ///< since the last complete reply, or the first that is owed
    QTimer m_connectTimer;
    QTimer m_retryTimer;
    QTimer m_deadlineTimer;
    QTimer m_continueTimer;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::ConnectionStatus)
Q_DECLARE_METATYPE(lk::Reply)
