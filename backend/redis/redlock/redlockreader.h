// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"
#include "backend/redis/redlock/quorum.h"
#include "backend/redis/redlock/redlockgroup.h"

#include <QObject>

#include <memory>
#include <set>

namespace lk {

/// Reads the locks of one group, once: finds their names on every server (SCAN, in small slices,
/// never two at a time) and asks each server for each name. A server that fails is silent; the
/// others go on. Only reads. Lives in the thread that made it.
class RedlockReader final : public QObject
{
    Q_OBJECT

public:
    RedlockReader(RedlockGroup group, int timeoutMs, QObject* parent = nullptr);
    ~RedlockReader() override;

    void start();

    const RedlockGroup& group() const { return m_group; }
    /// By name. A name that no server has any more is free.
    const std::vector<RedlockState>& states() const { return m_states; }
    /// Servers that could not be asked, and why; in the group's order.
    std::vector<std::pair<QString, Error>> silent() const;
    /// There were more names than are read.
    bool isCut() const { return m_cut; }

signals:
    void finished();

private:
    struct Server;

    void onStatus(Server& server, const ConnectionStatus& status);
    void scan(Server& server, const QByteArray& cursor);
    void takeNames(Server& server, const BatchResult& result);
    void scanned(Server& server);
    void readAll();
    void read(Server& server, size_t from);
    void takeVotes(Server& server, size_t from, const BatchResult& result);
    void readHashes(Server& server, size_t from, std::vector<size_t> hashes);
    void readNext(Server& server, size_t from);
    void fail(Server& server, const Error& error);
    void judge();

    RedlockGroup m_group;
    std::vector<std::unique_ptr<Server>> m_servers;
    std::set<QByteArray> m_names;
    std::vector<QByteArray> m_ordered; ///< the names, once all are known
    std::vector<RedlockState> m_states;
    size_t m_busy = 0; ///< servers that have not ended this part
    bool m_cut = false;
};

} // namespace lk
