// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/redis/connection.h"
#include "backend/redis/redlock/redlockreport.h"

#include <QObject>

#include <memory>
#include <set>

namespace lk {

/// Reads the locks of one group, once or again and again: finds their names on every server (SCAN,
/// in small slices, never two at a time) and asks each server for each name. A server that fails is
/// silent; the others go on, and whoever was silent is not waited for the next time. Only reads.
/// Lives in the thread that made it.
class RedlockReader final : public QObject
{
    Q_OBJECT

public:
    /// For how long it waits for a server, and how much it reads.
    struct Options
    {
        int timeoutMs = 5000;
        bool stays = false; ///< connections are made again after a loss, for who reads again
        int slices = 0;     ///< SCANs a server at most in one read(), the next goes on; 0: all
        size_t mostNames = 10'000;
    };

    /// The clock outlives this.
    RedlockReader(RedlockGroup group, Options options, const Clock& clock,
                  QObject* parent = nullptr);
    ~RedlockReader() override;

    /// Nothing while the last one is under way.
    void read();

    const RedlockGroup& group() const { return m_group; }
    /// By name. A name that no server has any more is free, and then forgotten. Null before the
    /// first.
    const RedlockReportPtr& report() const { return m_report; }

signals:
    void finished();

private:
    struct Server;

    void forgetFree();
    void begin(Server& server);
    void onStatus(Server& server, const ConnectionStatus& status);
    void ask(Server& server);
    void takeFacts(Server& server, qint64 sentMs, const BatchResult& result);
    void scan(Server& server);
    void takeNames(Server& server, const BatchResult& result);
    void fail(Server& server, const Error& error);
    void endPart();
    void readAll();
    void readFrom(Server& server, size_t from);
    void takeVotes(Server& server, size_t from, const BatchResult& result);
    void readHashes(Server& server, size_t from, std::vector<size_t> hashes);
    void readNext(Server& server, size_t from);
    void publish();

    RedlockGroup m_group;
    const Options m_options;
    const Clock& m_clock;
    std::vector<std::unique_ptr<Server>> m_servers;
    std::set<QByteArray> m_names;
    std::vector<QByteArray> m_ordered; ///< the names, once all are known
    RedlockReportPtr m_report;
    size_t m_busy = 0;      ///< servers that have not ended this part; 0: nothing is under way
    bool m_reading = false; ///< the second part: what the names hold
    bool m_cut = false;
};

} // namespace lk
