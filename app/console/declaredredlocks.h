// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockgroup.h"
#include "backend/secrets/secretstore.h"

#include <QObject>

#include <vector>

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
    void askForPassword(size_t group, size_t server);

    SecretStore& m_secrets;
    std::vector<RedlockGroup> m_groups;
    Redlocks* m_redlocks;  ///< the session's
    int m_asked = 0;       ///< passwords that the keyring has not returned yet
    quint64 m_loading = 0; ///< distinguishes their answers from earlier ones
};

} // namespace lk
