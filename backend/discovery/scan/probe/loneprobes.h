// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"
#include "backend/redis/link.h"
#include "backend/redis/oversizedreplies.h"

#include <QObject>

#include <deque>
#include <functional>

namespace lk {

/// When one key's value passes the cap on replies, it takes the connection with it, and with that
/// all that was under way. Then each key that may have been the one is asked for alone, with
/// nothing else beside it that could be blamed, so that only the one is lost; all else waits, and
/// is asked again afterwards. Lives in its scan's thread.
class LoneProbes final : public QObject
{
    Q_OBJECT

public:
    /// What one failed batch had asked, and what to do with each. Functions are called in this
    /// thread.
    struct Suspects
    {
        std::vector<Probe> probes; ///< with what they asked
        /// Over the connection; the handler only while these are wanted.
        std::function<void(const std::vector<Command>&, BatchHandler)> send;
        std::function<qint64()> serverMs;
        /// What became of one: judged by its replies, or why it cannot be.
        std::function<void(Probe, const std::optional<Error>&)> judged;
        std::function<void()> done; ///< all of them were judged
    };

    /// connection: not owned, outlives this; it comes back by itself.
    LoneProbes(Link& connection, QObject* parent);

    /// Nothing else is to be sent.
    bool isActive() const { return m_active; }
    /// A reply was too large: begins once this turn of the event loop is over.
    void begin();
    /// Is asked for alone, too.
    void add(Suspects suspects);
    /// What is to be sent when all suspects are through.
    void later(std::function<void()> step);
    /// Nobody wants to know any more.
    void clear();

signals:
    /// The connection does not come back, or too many keys are too large.
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
    quint64 m_run = 0; ///< answers of an earlier run are dropped
    bool m_active = false;
};

} // namespace lk
