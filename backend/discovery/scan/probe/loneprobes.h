// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"
#include "backend/redis/link.h"
#include "backend/redis/oversizedreplies.h"

#include <QObject>

#include <deque>
#include <functional>

namespace lk {

/// Isolates a key whose value exceeds the cap on replies. Such a reply closes the connection and
/// loses everything in flight. Then each suspected key is probed alone, so that only the culprit is
/// lost. Everything else waits and is sent again afterwards. Lives in its scan's thread.
class LoneProbes final : public QObject
{
    Q_OBJECT

public:
    /// The probes of one failed batch, and how to handle each. Functions are called in this thread.
    struct Suspects
    {
        std::vector<Probe> probes; ///< with their commands
        /// Sends commands over the connection. The handler is called only while the probes are
        /// wanted.
        std::function<void(const std::vector<Command>&, BatchHandler)> send;
        std::function<qint64()> serverMs;
        /// Called for each probe with its replies, or with the error that prevents a judgement.
        std::function<void(Probe, const std::optional<Error>&)> judged;
        std::function<void()> done; ///< called when all were judged
    };

    /// connection is not owned and must outlive this. It reconnects by itself.
    LoneProbes(Link& connection, QObject* parent);

    /// While true, nothing else may be sent.
    bool isActive() const { return m_active; }
    /// Call it when a reply was too large. Begins after this turn of the event loop.
    void begin();
    /// Adds suspects that are probed alone.
    void add(Suspects suspects);
    /// Adds a step to run when all suspects are done.
    void later(std::function<void()> step);
    /// Drops all suspects and steps.
    void clear();

signals:
    /// The connection is not restored, or too many keys are too large.
    void failed(const lk::Error& error);

private:
    void next();
    void ask(size_t index);
    void onReply(size_t index, const std::vector<Command>& asked, const BatchResult& result);
    void soon(int ms, std::function<void()> step);

    Link& m_connection;
    std::deque<Suspects> m_suspects;
    std::deque<std::function<void()>> m_later;
    OversizedReplies m_oversized{OversizedReplies::mostOfAScan};
    quint64 m_run = 0; ///< replies of an earlier run are dropped
    bool m_active = false;
};

} // namespace lk
