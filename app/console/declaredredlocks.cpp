// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/declaredredlocks.h"

#include "backend/session/redlock/redlocks.h"
#include "backend/session/session.h"

namespace lk {

DeclaredRedlocks::DeclaredRedlocks(Session& session, SecretStore& secrets)
    : m_secrets(secrets)
    , m_redlocks(new Redlocks(session))
{
    m_redlocks->follow();
}

void DeclaredRedlocks::declare(std::vector<RedlockGroup> groups)
{
    ++m_loading;
    m_asked = 0;
    m_groups = std::move(groups);
    for (const RedlockGroup& group : m_groups) {
        for (const ServerUrl& url : group.servers)
            m_asked += url.password.isEmpty() ? 1 : 0;
    }
    if (m_asked == 0)
        return m_redlocks->setGroups(m_groups);
    for (size_t group = 0; group < m_groups.size(); ++group) {
        for (size_t server = 0; server < m_groups[group].servers.size(); ++server)
            askForPassword(group, server);
    }
}

// A server may well have none.
void DeclaredRedlocks::askForPassword(size_t group, size_t server)
{
    const ServerUrl& url = m_groups[group].servers[server];
    if (!url.password.isEmpty())
        return;
    m_secrets.read(secretKey(url), this,
                   [this, group, server, loading = m_loading](const Result<QString>& secret) {
                       if (loading != m_loading)
                           return;
                       if (secret)
                           m_groups[group].servers[server].password = *secret;
                       if (--m_asked == 0)
                           m_redlocks->setGroups(m_groups);
                   });
}

} // namespace lk
