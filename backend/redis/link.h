// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/url.h"

#include <QObject>

#include <functional>
#include <vector>

namespace lk {

/// The state of a connection, as the window shows it.
struct ConnectionStatus
{
    enum class Phase : quint8 { Closed, Resolving, Connecting, Authenticating, Ready, Lost };
    Phase phase = Phase::Closed;
    Error error;            ///< with Lost: why
    qint64 nextTryInMs = 0; ///< with Lost: until the next automatic attempt; 0: none is planned
    int attempt = 0;        ///< attempts since it was last ready
    quint64 generation = 0; ///< grows by one each time it becomes ready

    bool operator==(const ConnectionStatus&) const = default;
};

/// The replies of a batch in the order of its commands, or why they never came.
/// A server's error reply is a Reply of type Error inside; only a lost connection, a deadline or a
/// broken protocol fails the whole batch.
using BatchResult = Result<std::vector<Reply>>;
using BatchHandler = std::function<void(BatchResult)>;

/// The traffic since the object was created.
struct TrafficCounts
{
    qint64 commands = 0;
    qint64 bytesSent = 0;
    qint64 bytesReceived = 0;
};

/// The interface for sending commands: a connection to one server, or the router of a deployment.
/// Lives in the thread that made it, as do all its users.
class Link : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    virtual const ServerUrl& url() const = 0;
    virtual const ConnectionStatus& status() const = 0;
    bool isReady() const { return status().phase == ConnectionStatus::Phase::Ready; }
    /// INFO and ROLE as the server reported them on connecting. Empty if they were denied. For a
    /// cluster: those of the node that receives commands without a key.
    virtual const ServerInfo& greeting() const = 0;
    /// True if reading does not make keys recently used (CLIENT NO-TOUCH). Only a connection that
    /// cannot write requests it, and only from a server that survives it.
    virtual bool leavesKeysUntouched() const = 0;
    virtual TrafficCounts traffic() const = 0;
    /// Round trip of the last batch in milliseconds; -1 before the first.
    virtual double roundTripMs() const = 0;

    /// Sends the commands in one write to each server that they concern. The handler is called
    /// exactly once, later, from the event loop, in this thread; not at all if the context (which
    /// lives in this thread too) was destroyed before. An empty batch and a link that is not ready
    /// fail it at once (still from the event loop). The handler may send, close or delete the link.
    /// A command that may write fails the batch with SessionReadOnly: nothing is sent.
    virtual void send(const std::vector<Command>& commands, QObject* context,
                      BatchHandler handler) = 0;

    /// Sends a command to the one server that sendActing() would use, and follows no redirection: a
    /// server without all of the command's keys replies MOVED, ASK or TRYAGAIN.
    virtual void sendUnfollowed(const Command& command, QObject* context, BatchHandler handler)
    {
        send({command}, context, std::move(handler));
    }

    /// Returns the node that has this key, for related commands such as TIME. Returns this link if
    /// there is only one node. Lives as long as this.
    virtual Link& nodeOf(const QByteArray& key)
    {
        Q_UNUSED(key);
        return *this;
    }

    /// Returns the node that answers commands without a key.
    virtual Link& home() { return *this; }
    /// Returns all nodes that hold data, for commands without a key such as CLIENT LIST and INFO.
    /// They live as long as this.
    virtual std::vector<Link*> dataNodes() { return {this}; }

    /// True if the keys of every slot of a cluster can be reached.
    virtual bool followsCluster() const { return false; }

    virtual bool isWriteModeOn() const = 0;
    /// Like send(), but for commands that may write. Sends them to one server only, and never
    /// twice. Fails with SessionReadOnly while write mode is off.
    virtual void sendActing(const std::vector<Command>& commands, QObject* context,
                            BatchHandler handler) = 0;

signals:
    void statusChanged(const lk::ConnectionStatus& status);
};

} // namespace lk

Q_DECLARE_METATYPE(lk::ConnectionStatus)
