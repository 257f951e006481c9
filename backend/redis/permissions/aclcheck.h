// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/permissions/aclrules.h"
#include "backend/redis/topology/router.h"

#include <QObject>

namespace lk {

/// What a server says of this user's permissions.
struct AclReport
{
    /// How the server was asked, which bounds what is known.
    enum class AskedBy : quint8 {
        NoUsers, ///< before Redis 6: whoever is let in may do everything
        DryRun,  ///< ACL DRYRUN: nothing was run
        Trial,   ///< commands that read were sent; of the others nothing is known
    };
    AskedBy askedBy = AskedBy::Trial;
    QByteArray user; ///< empty: the server does not say
    ServerInfo info;
    std::vector<SentCommand> asked;   ///< all that matters on this version
    std::vector<SentCommand> lacking; ///< of them: denied
    std::vector<SentCommand> unknown; ///< of them: neither denied nor allowed, as far as is known
    bool keysDenied = false;          ///< not every key may be read
    std::optional<int> databaseDenied = {}; ///< that of the URL
    bool channelsDenied = false; ///< nor may every channel be heard or, to act, published to

    bool lacksAny() const
    {
        return !lacking.empty() || keysDenied || databaseDenied || channelsDenied;
    }
};

/// Finds out what a user lacks of what the console sends. Only reads: a dry run of each command
/// where the server has that and lets this user, else each one that reads, on a key that nobody
/// has. Lives in the thread that made it.
class AclCheck final : public QObject
{
    Q_OBJECT

public:
    AclCheck(const ServerUrl& url, AclPurpose purpose, int timeoutMs, QObject* parent = nullptr);

    void start() { m_router.open(); }

signals:
    /// One of them, once.
    void finished(const lk::AclReport& report);
    void failed(const lk::Error& error);

private:
    void ask();
    void tryDryRun();
    void dryRun();
    void tryOut();
    void take(const SentCommand& command, const QByteArray& denial);
    void finish();
    void fail(const Error& error);

    AclPurpose m_purpose;
    Router m_router; ///< of a cluster: to that node alone, as each has permissions of its own
    AclReport m_report;
    bool m_asked = false;
    bool m_done = false;
};

} // namespace lk
