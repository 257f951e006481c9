// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockgroup.h"
#include "backend/secrets/secretstore.h"

#include <QObject>

#include <memory>

namespace lk {

class Redlocks;
class Session;

/// Gives a session the locks of several servers that its configuration file declares, with their
/// passwords from the keyring. GUI thread; ends before the session.
class DeclaredRedlocks final : public QObject
{
    Q_OBJECT

public:
    /// Both outlive this.
    DeclaredRedlocks(Session& session, SecretStore& secrets);

    /// Replaces the groups by those that the file declares now.
    void declare(std::vector<RedlockGroup> groups);

private:
    struct Loading
    {
        std::vector<RedlockGroup> groups;
        int asked = 0; ///< passwords that the keyring has not returned yet
    };

    SecretStore& m_secrets;
    Redlocks* m_redlocks;               ///< the session's
    std::shared_ptr<Loading> m_loading; ///< the last; answers to earlier ones are ignored
};

} // namespace lk
