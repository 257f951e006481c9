// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/secretstore.h"

namespace lk {

/// Keeps secrets in the kernel's memory for all of the user's programs, without a desktop: over
/// ssh, in cron. A secret is forgotten keptSeconds after it was last read, or with the user's last
/// process.
class UserSecretStore final : public SecretStore
{
public:
    static constexpr int keptSeconds = 2 * 24 * 3600;

    void check(QObject* context, DoneHandler handler) override;
    void read(const QString& key, QObject* context, ReadHandler handler) override;
    void write(const QString& key, const QString& secret, QObject* context,
               DoneHandler handler) override;
    void remove(const QString& key, QObject* context, DoneHandler handler) override;
};

} // namespace lk
