// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/permissions/aclrules.h"
#include "backend/redis/topology/router.h"

#include <QObject>

namespace lk {

/// This user's permissions, as a server reports them.
struct AclReport
{
    /// How the permissions were determined, which bounds what is known.
    enum class AskedBy : quint8 {
        NoUsers, ///< before Redis 6: every client that logs in may do everything
        DryRun,  ///< ACL DRYRUN: nothing was run
        Trial,   ///< commands that only read were sent; the others are unknown
    };
    AskedBy askedBy = AskedBy::Trial;
    QByteArray user; ///< empty: the server does not say
    ServerInfo info;
    std::vector<SentCommand> asked;         ///< all commands that matter on this version
    std::vector<SentCommand> lacking;       ///< the denied ones among them
    std::vector<SentCommand> unknown;       ///< the ones among them with an unknown result
    bool keysDenied = false;                ///< not every key may be read
    std::optional<int> databaseDenied = {}; ///< the database of the URL, if denied
    bool channelsDenied = false; ///< not every channel may be heard or, to act, published to

    bool lacksAny() const
    {
        return !lacking.empty() || keysDenied || databaseDenied || channelsDenied;
    }
};

/// Determines which of the console's commands a user may not run. Only reads: sends ACL DRYRUN for
/// each command where the server has it and the user may call it, else each command that only
/// reads, on a key that does not exist. Lives in the thread that made it.
class AclCheck final : public QObject
{
    Q_OBJECT

public:
    AclCheck(const ServerUrl& url, AclPurpose purpose, int timeoutMs, QObject* parent = nullptr);

    void start() { m_router.open(); }

signals:
    /// Exactly one of these two is emitted, once.
    void finished(const lk::AclReport& report);
    void failed(const lk::Error& error);

private:
    void begin();
    Task<std::optional<Error>> check();
    Task<std::optional<Error>> dryRun();
    Task<std::optional<Error>> tryOut();
    void take(const SentCommand& command, const QByteArray& denial);
    void end(const std::optional<Error>& error);

    AclPurpose m_purpose;
    Router m_router; ///< in a cluster: to that node alone, as each has permissions of its own
    AclReport m_report;
    bool m_asked = false;
    bool m_done = false;
};

} // namespace lk
