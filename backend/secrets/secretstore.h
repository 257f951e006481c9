// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/url.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <optional>

namespace lk {

/// Where passwords are kept between runs. Everything is answered later, from the event loop of
/// the calling (GUI) thread, exactly once; not at all if the context is gone by then. A failure
/// of any sort means "not stored": ask the person.
class SecretStore
{
public:
    using ReadHandler = std::function<void(Result<QString>)>;
    using DoneHandler = std::function<void(Result<void>)>;

    virtual ~SecretStore() = default;

    /// Whether secrets can be kept here at all; the error says in words why not.
    virtual void check(QObject* context, DoneHandler handler) = 0;
    virtual void read(const QString& key, QObject* context, ReadHandler handler) = 0;
    virtual void write(const QString& key, const QString& secret, QObject* context,
                       DoneHandler handler) = 0;
    /// Removing what is not there succeeds.
    virtual void remove(const QString& key, QObject* context, DoneHandler handler) = 0;
};

/// Answers from the event loop of the context's thread, as stores do.
template<typename T>
void answerLater(QObject* context, std::function<void(Result<T>)> handler, Result<T> result)
{
    QMetaObject::invokeMethod(
        context, [handler = std::move(handler), result = std::move(result)] { handler(result); },
        Qt::QueuedConnection);
}

/// The key of a server's password: endpoint and user. The database does not matter; plain and
/// TLS differ, so that what was stored for TLS never goes over the wire in the clear.
QString secretKey(const ServerUrl& url);
/// That of its Sentinels' password.
QString sentinelSecretKey(const ServerUrl& url);

/// Forgets with the process. A broken one fails everything, as a machine without a keyring does.
class MemorySecretStore final : public SecretStore
{
public:
    void setBroken(const Error& error) { m_broken = error; }
    const QHash<QString, QString>& secrets() const { return m_secrets; }

    void check(QObject* context, DoneHandler handler) override;
    void read(const QString& key, QObject* context, ReadHandler handler) override;
    void write(const QString& key, const QString& secret, QObject* context,
               DoneHandler handler) override;
    void remove(const QString& key, QObject* context, DoneHandler handler) override;

private:
    QHash<QString, QString> m_secrets;
    std::optional<Error> m_broken;
};

} // namespace lk
