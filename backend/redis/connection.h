// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <deque>
#include <memory>

namespace lk {

class ReplyReader;
class Transport;

/// One socket to one server: pipelined batches out, replies back in order. Lives in the thread that
/// made it. Sends nothing twice: a batch under way when the connection is lost fails and stays
/// failed. After a loss it reconnects by itself with growing pauses (0.25 s to 15 s, with jitter)
/// unless the error needs a person (password, certificate).
class Connection final : public Link
{
    Q_OBJECT

public:
    /// Which commands may leave over the socket.
    enum class Access : quint8 {
        ReadOnly, ///< commands that only read, for life; see leavesKeysUntouched()
        Acting,   ///< as ReadOnly, and others through sendActing() in write mode
        Free,     ///< anything: for the clients of the demo, never for the console
    };

    /// Options that are fixed for the life of a connection. Times are in milliseconds.
    struct Options
    {
        Access access = Access::ReadOnly;
        QByteArray clientName = QByteArrayLiteral("lockkeeper");
        int connectTimeoutMs = 5000; ///< until ready: name lookup, socket, TLS and login together
        int batchTimeoutMs = 5000;   ///< without one complete reply while some are owed
        bool reconnect = true;
        /// Caps on a single reply; a larger one fails the batch with ReplyTooLarge and drops the
        /// connection (the rest of the reply cannot be skipped otherwise).
        qint64 maxReplyBytes = 32 * 1024 * 1024;
        int maxElements = 1'000'000;
        /// The same limit for all replies of a batch together, which are kept until the last one
        /// has arrived.
        qint64 maxBatchBytes = 96 * 1024 * 1024;
    };
    explicit Connection(ServerUrl url, Options options, QObject* parent = nullptr);
    explicit Connection(ServerUrl url, QObject* parent = nullptr);
    ~Connection() override;

    /// Starts connecting; statusChanged reports the progress.
    void open();
    /// Fails the batches under way with Cancelled and closes. No status but Closed follows.
    void close();
    /// While lost: tries now instead of at the planned time.
    void retryNow();
    void setPassword(const QString& user, const QString& password);

    const ServerUrl& url() const override { return m_url; }
    const ConnectionStatus& status() const override { return m_status; }
    const ServerInfo& greeting() const override { return m_greeting; }
    bool leavesKeysUntouched() const override { return m_noTouch; }
    TrafficCounts traffic() const override { return m_traffic; }
    double roundTripMs() const override { return m_roundTripMs; }
    int batchesUnderWay() const { return int(m_pending.size()); }

    /// One channel or pattern per SUBSCRIBE and PSUBSCRIBE: the server confirms each on its own.
    void send(const std::vector<Command>& commands, QObject* context,
              BatchHandler handler) override;

    /// Sets whether sendActing() may write. Off until the user turns it on; always off if ReadOnly.
    void setWriteMode(bool on) { m_writeMode = on && m_options.access == Access::Acting; }
    bool isWriteModeOn() const override { return m_writeMode || m_options.access == Access::Free; }
    void sendActing(const std::vector<Command>& commands, QObject* context,
                    BatchHandler handler) override;

signals:
    /// Emitted for a message that answers no command, after SUBSCRIBE and PSUBSCRIBE.
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
        qint64 bytes = 0; ///< memory used by the replies
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
    int m_fruitless = 0; ///< connections in a row that were ready and lost without a complete batch
    int m_shortLived = 0;    ///< connections in a row lost soon after they were ready and answered
    bool m_answered = false; ///< a complete batch since it was ready
    int m_firstByte = -1;    ///< the first byte received on this socket; -1: none yet
    bool m_subscribed = false;
    bool m_writeMode = false;
    bool m_noTouch = false;
    ServerInfo m_greeting;
    quint64 m_epoch = 0; ///< grows with every dropped socket, so that late calls are recognized
    QElapsedTimer m_clock;
    QElapsedTimer m_readySince;
    QElapsedTimer m_progress; ///< since the last complete reply, or the first that is owed
    QTimer m_connectTimer;
    QTimer m_retryTimer;
    QTimer m_deadlineTimer;
    QTimer m_continueTimer;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::Reply)
