// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/secrets/usersecretstore.h"

#include "backend/platform/usersecrets.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct UserSecretStoreText
{
    Q_DECLARE_TR_FUNCTIONS(lk::SecretStore)
};

Error denied()
{
    return {ErrorCode::NotInstalled,
            UserSecretStoreText::tr("The kernel keeps no keys for this user here")};
}

} // namespace

void UserSecretStore::check(QObject* context, DoneHandler handler)
{
    const QByteArray probe = "availability";
    const bool kept = keepUserSecret(probe, "1", 1) == 0 && userSecret(probe).has_value();
    answerLater<void>(context, std::move(handler),
                      kept ? Result<void>() : tl::unexpected<Error>(denied()));
}

void UserSecretStore::read(const QString& key, QObject* context, ReadHandler handler)
{
    Result<QString> result = failure(ErrorCode::NotFound, UserSecretStoreText::tr("No such key"));
    if (const std::optional<QByteArray> secret = userSecret(key.toUtf8())) {
        prolongUserSecret(key.toUtf8(), keptSeconds);
        result = QString(QLatin1String(*secret));
    }
    answerLater<QString>(context, std::move(handler), std::move(result));
}

void UserSecretStore::write(const QString& key, const QString& secret, QObject* context,
                            DoneHandler handler)
{
    const bool kept = keepUserSecret(key.toUtf8(), secret.toLatin1(), keptSeconds) == 0;
    answerLater<void>(context, std::move(handler),
                      kept ? Result<void>() : tl::unexpected<Error>(denied()));
}

void UserSecretStore::remove(const QString& key, QObject* context, DoneHandler handler)
{
    forgetUserSecret(key.toUtf8());
    answerLater<void>(context, std::move(handler), {});
}

} // namespace lk
