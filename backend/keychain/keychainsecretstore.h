// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/secretstore.h"

namespace QKeychain {
class Job;
}

namespace lk {

/// Keeps passwords in the desktop's keyring (Secret Service, KWallet, the systems' own), through
/// QtKeychain. Where there is none everything fails; nothing is ever written to a plain file.
class KeychainSecretStore final : public SecretStore
{
public:
    static constexpr int patienceMs = 3000; ///< then the keyring counts as not there

    void check(QObject* context, DoneHandler handler) override;
    void read(const QString& key, QObject* context, ReadHandler handler) override;
    void write(const QString& key, const QString& secret, QObject* context,
               DoneHandler handler) override;
    void remove(const QString& key, QObject* context, DoneHandler handler) override;

private:
    /// The job is null if the keyring did not answer in time.
    using JobHandler = std::function<void(const QKeychain::Job*)>;
    void run(QKeychain::Job* job, const QString& key, QObject* context, JobHandler handler);
};

} // namespace lk
