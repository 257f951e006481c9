// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/permissions/aclcheck.h"

#include <memory>

namespace lk {

/// This user's permissions on one node, or why they could not be read.
struct NodeAcl
{
    QString endpoint;
    Result<AclReport> report; ///< errors: those of AclCheck::failed()
};

/// Checks a user's permissions on each master of a cluster, since every node has users of its own.
/// For any other deployment it checks the node that answers. Checks one node after the other. Lives
/// in the thread that made it.
class AclOfNodes final : public QObject
{
    Q_OBJECT

public:
    AclOfNodes(ServerUrl url, AclPurpose purpose, int timeoutMs, QObject* parent = nullptr);

    void start();
    /// After finished(): the node that was named first.
    const std::vector<NodeAcl>& nodes() const { return m_nodes; }

signals:
    /// Once.
    void finished();

private:
    void takeMap();
    void askNext();

    ServerUrl m_url;
    AclPurpose m_purpose;
    int m_timeoutMs;
    Router m_router;
    std::vector<std::pair<QString, ServerUrl>> m_left; ///< still to be asked, the next one last
    std::unique_ptr<AclCheck> m_check;
    std::vector<NodeAcl> m_nodes;
    bool m_begun = false;
};

} // namespace lk
