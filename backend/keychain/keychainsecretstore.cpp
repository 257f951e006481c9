// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/keychain/keychainsecretstore.h"

#include <QCoreApplication>
#include <QTimer>

#include <qt6keychain/keychain.h>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::SecretStore)
};

QString service()
{
    return QStringLiteral("lockkeeper");
}

// Without a keyring QtKeychain answers OtherError as often as NoBackendAvailable; its texts name
// D-Bus services, which helps nobody. Only "there is no such entry" is told apart.
Error errorOf(const QKeychain::Job* job)
{
    if (!job)
        return {ErrorCode::Timeout, Text::tr("asking the keyring")};
    switch (job->error()) {
    case QKeychain::EntryNotFound:
        return {ErrorCode::NotFound, Text::tr("No password is stored for this server")};
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        return {ErrorCode::FileError, Text::tr("The keyring is locked")};
    default:
        return {ErrorCode::NotInstalled, Text::tr("This desktop has no keyring")};
    }
}

bool succeeded(const QKeychain::Job* job)
{
    return job && job->error() == QKeychain::NoError;
}

bool isMissing(const QKeychain::Job* job)
{
    return job && job->error() == QKeychain::EntryNotFound;
}

Result<void> doneOf(bool done, const QKeychain::Job* job)
{
    return done ? Result<void>() : tl::unexpected(errorOf(job));
}

} // namespace

void KeychainSecretStore::run(QKeychain::Job* job, const QString& key, QObject* context,
                              JobHandler handler)
{
    job->setKey(key);
    job->setInsecureFallback(false);
    job->setAutoDelete(true);
    // A child of the context: with it goes the answer, while the job ends in its own time.
    auto* patience = new QTimer(context);
    patience->setSingleShot(true);
    QObject::connect(patience, &QTimer::timeout, context, [patience, handler] {
        patience->deleteLater();
        handler(nullptr);
    });
    QObject::connect(job, &QKeychain::Job::finished, patience,
                     [patience, handler](const QKeychain::Job* finished) {
                         if (!patience->isActive())
                             return; // too late: it was answered already
                         patience->stop();
                         patience->deleteLater();
                         handler(finished);
                     });
    patience->start(patienceMs);
    job->start();
}

void KeychainSecretStore::check(QObject* context, DoneHandler handler)
{
    run(new QKeychain::ReadPasswordJob(service()), QStringLiteral("availability"), context,
        [handler = std::move(handler)](const QKeychain::Job* job) {
            handler(doneOf(succeeded(job) || isMissing(job), job));
        });
}

void KeychainSecretStore::read(const QString& key, QObject* context, ReadHandler handler)
{
    run(new QKeychain::ReadPasswordJob(service()), key, context,
        [handler = std::move(handler)](const QKeychain::Job* job) {
            if (succeeded(job))
                handler(static_cast<const QKeychain::ReadPasswordJob*>(job)->textData());
            else
                handler(tl::unexpected(errorOf(job)));
        });
}

void KeychainSecretStore::write(const QString& key, const QString& secret, QObject* context,
                                DoneHandler handler)
{
    auto* job = new QKeychain::WritePasswordJob(service());
    job->setTextData(secret);
    run(job, key, context, [handler = std::move(handler)](const QKeychain::Job* finished) {
        handler(doneOf(succeeded(finished), finished));
    });
}

void KeychainSecretStore::remove(const QString& key, QObject* context, DoneHandler handler)
{
    run(new QKeychain::DeletePasswordJob(service()), key, context,
        [handler = std::move(handler)](const QKeychain::Job* job) {
            handler(doneOf(succeeded(job) || isMissing(job), job));
        });
}

} // namespace lk
