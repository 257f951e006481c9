// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the stored deployment, through whichever of its names it is entered.
#include "backend/alerts/store/alertstore.h"

#include <QCryptographicHash>
#include <QSqlQuery>

namespace lk {

namespace {

const QString endpointPrefix = QStringLiteral("endpoint:");

QString lockFile(const QString& path, const QString& deployment)
{
    const QByteArray hex =
        QCryptographicHash::hash(deployment.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return path + QLatin1Char('-') + QLatin1String(hex) + QStringLiteral(".lock");
}

} // namespace

// Empty: under no such name.
Result<QString> AlertStore::keptAs(const QString& alias) const
{
    Result<QSqlQuery> row = m_database.run("SELECT deployment FROM alias WHERE alias = ?", {alias});
    if (!row)
        return tl::unexpected(row.error());
    return row->next() ? row->value(0).toString() : QString();
}

Result<void> AlertStore::resolve(const AlertIdentity& identity)
{
    m_deployment = identity.names.value(0);
    for (const QString& alias : identity.names + QStringList{endpointPrefix + identity.endpoint}) {
        const Result<QString> kept = keptAs(alias);
        if (!kept)
            return tl::unexpected(kept.error());
        if (kept->isEmpty())
            continue;
        m_deployment = *kept;
        break;
    }
    return {};
}

Result<void> AlertStore::move(const QString& from, const QString& to)
{
    for (const char* sql : {"UPDATE alert SET deployment = ? WHERE deployment = ?",
                            "UPDATE silence SET deployment = ? WHERE deployment = ?",
                            "UPDATE outbox SET deployment = ? WHERE deployment = ?",
                            "UPDATE alias SET deployment = ? WHERE deployment = ?"}) {
        if (const auto moved = m_database.run(sql, {to, from}); !moved)
            return tl::unexpected(moved.error());
    }
    return {};
}

Result<void> AlertStore::identify(const AlertIdentity& identity)
{
    QString found;
    const Result<void> known = m_database.whole([&]() -> Result<void> {
        QStringList others;
        const QString endpoint = endpointPrefix + identity.endpoint;
        for (const QString& alias : identity.names + QStringList{endpoint}) {
            const Result<QString> kept = keptAs(alias);
            if (!kept)
                return tl::unexpected(kept.error());
            if (kept->isEmpty() || *kept == found || others.contains(*kept))
                continue;
            // By its endpoint alone it gets the name that it has in the recording, too.
            if (found.isEmpty() && alias != endpoint)
                found = *kept;
            else
                others << *kept;
        }
        if (found.isEmpty())
            found = identity.names.value(0);
        for (const QString& other : others) {
            if (const Result<void> moved = move(other, found); !moved)
                return moved;
        }
        if (const auto claimed = m_database.run("DELETE FROM alias WHERE alias = ?", {endpoint});
            !claimed)
            return tl::unexpected(claimed.error());
        for (const QString& name : identity.names) {
            const auto named =
                m_database.run("INSERT OR REPLACE INTO alias VALUES (?, ?)", {name, found});
            if (!named)
                return tl::unexpected(named.error());
        }
        return {};
    });
    if (!known)
        found = identity.names.value(0); // kept as long as this program runs
    if (found != m_deployment || !m_lock) {
        m_deployment = found;
        m_lock = std::make_unique<QLockFile>(lockFile(m_database.path(), m_deployment));
        m_lock->setStaleLockTime(0); // only if its program has ended
    }
    return known;
}

bool AlertStore::isMoved() const
{
    if (!m_lock)
        return false;
    Result<QSqlQuery> row =
        m_database.run("SELECT 1 FROM alias WHERE deployment = ? LIMIT 1", {m_deployment});
    return row && !row->next();
}

} // namespace lk
