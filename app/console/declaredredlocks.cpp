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
    const auto loading = std::make_shared<Loading>(Loading{std::move(groups), 1});
    m_loading = loading;
    const auto end = [this, loading] {
        if (loading == m_loading && --loading->asked == 0)
            m_redlocks->setGroups(loading->groups);
    };
    for (RedlockGroup& group : loading->groups) {
        for (ServerUrl& url : group.servers) {
            if (!url.password.isEmpty())
                continue;
            ++loading->asked;
            m_secrets.read(secretKey(url), this, [&url, end](const Result<QString>& secret) {
                if (secret) // a server may well have none
                    url.password = *secret;
                end();
            });
        }
    }
    end();
}

} // namespace lk
