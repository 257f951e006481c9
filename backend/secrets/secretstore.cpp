// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/secrets/secretstore.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct SecretStoreText
{
    Q_DECLARE_TR_FUNCTIONS(lk::SecretStore)
};

} // namespace

QString secretKey(const ServerUrl& url)
{
    ServerUrl key = url;
    key.database = 0;
    key.caFile.clear();
    key.clientName.clear();
    key.sentinelUser.clear();
    key.addressMap.clear();
    if (key.deployment == ServerUrl::Deployment::Node)
        key.deployment = ServerUrl::Deployment::Detect;
    return key.withoutPassword();
}

QString sentinelSecretKey(const ServerUrl& url)
{
    ServerUrl key = url;
    key.user = url.sentinelUser;
    return QStringLiteral("sentinels of ") + secretKey(key);
}

void MemorySecretStore::check(QObject* context, DoneHandler handler)
{
    answerLater<void>(context, std::move(handler),
                      m_broken ? Result<void>(tl::unexpected(*m_broken)) : Result<void>());
}

void MemorySecretStore::read(const QString& key, QObject* context, ReadHandler handler)
{
    Result<QString> result =
        failure(ErrorCode::NotFound, SecretStoreText::tr("No password is stored for this server"));
    if (m_broken)
        result = tl::unexpected(*m_broken);
    else if (m_secrets.contains(key))
        result = m_secrets.value(key);
    answerLater<QString>(context, std::move(handler), std::move(result));
}

void MemorySecretStore::write(const QString& key, const QString& secret, QObject* context,
                              DoneHandler handler)
{
    if (!m_broken)
        m_secrets.insert(key, secret);
    check(context, std::move(handler));
}

void MemorySecretStore::remove(const QString& key, QObject* context, DoneHandler handler)
{
    if (!m_broken)
        m_secrets.remove(key);
    check(context, std::move(handler));
}

} // namespace lk
