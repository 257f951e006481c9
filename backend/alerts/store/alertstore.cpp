// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/store/alertstore.h"

#include <QDir>
#include <QFileInfo>
#include <QSqlQuery>
#include <QUuid>

namespace lk {

namespace {

constexpr qint64 keptMs = 90LL * 24 * 3600 * 1000;
constexpr qint64 deliveredMs = 7LL * 24 * 3600 * 1000;

AlertPtr alertOf(const QSqlQuery& row)
{
    Alert alert;
    alert.id = row.value(0).toByteArray();
    alert.rule = row.value(1).toByteArray();
    alert.severity = Finding::Severity(qBound(0, row.value(2).toInt(), 2));
    if (const int kind = row.value(3).toInt(); !row.isNull(3) && kind < int(allKinds.size()))
        alert.kind = Kind(qMax(0, kind));
    alert.primitive = {row.value(4).toByteArray(), row.value(5).toByteArray()};
    alert.name = row.value(6).toByteArray();
    alert.text = row.value(7).toString();
    alert.sinceMs = row.value(8).toLongLong();
    alert.firedMs = row.value(9).toLongLong();
    alert.resolvedMs = row.value(10).toLongLong();
    alert.acknowledgedMs = row.value(11).toLongLong();
    alert.acknowledgedBy = row.value(12).toString();
    return std::make_shared<Alert>(std::move(alert));
}

// An empty one is not null to us, but to Qt.
QVariant bytes(const QByteArray& text)
{
    return text.isNull() ? QVariant(QByteArray("")) : QVariant(text);
}

QVariant text(const QString& value)
{
    return value.isNull() ? QVariant(QStringLiteral("")) : QVariant(value);
}

Result<void> onlyWhether(const Result<QSqlQuery>& query)
{
    return query ? Result<void>() : Result<void>(tl::unexpected(query.error()));
}

} // namespace

AlertStore::AlertStore(const QString& path)
    : m_database(path)
    , m_claimant(QUuid::createUuid().toString(QUuid::WithoutBraces))
{}

Result<void> AlertStore::open()
{
    return m_database.open();
}

bool AlertStore::lock()
{
    if (!m_lock)
        return false;
    if (m_lock->isLocked() || m_lock->tryLock(0))
        return true;
    // Where no lock can be made there is no file to share either.
    return m_lock->error() != QLockFile::LockFailedError;
}

Result<AlertStore::Contents> AlertStore::load() const
{
    Contents contents;
    Result<QSqlQuery> alerts = m_database.run(
        "SELECT id, rule, severity, kind, layout, primitive, name, text, since_ms, fired_ms, "
        "resolved_ms, acknowledged_ms, acknowledged_by FROM alert WHERE deployment = ? "
        "ORDER BY resolved_ms > 0, MAX(resolved_ms, fired_ms) DESC LIMIT 10000",
        {m_deployment});
    if (!alerts)
        return tl::unexpected(alerts.error());
    while (alerts->next()) {
        AlertPtr alert = alertOf(*alerts);
        if (alert->isOpen())
            contents.open.push_back(std::move(alert));
        else if (contents.past.size() < Alerts::mostPast)
            contents.past.push_back(std::move(alert));
    }
    Result<QSqlQuery> told =
        m_database.run("SELECT alert, target FROM told JOIN alert ON alert.id = told.alert "
                       "WHERE deployment = ? AND resolved_ms = 0",
                       {m_deployment});
    if (!told)
        return tl::unexpected(told.error());
    while (told->next())
        contents.notified[told->value(0).toByteArray()].insert(told->value(1).toByteArray());
    Result<QSqlQuery> silences =
        m_database.run("SELECT id, rule, match, until_ms, at_ms, by_whom, reason FROM silence "
                       "WHERE deployment = ? ORDER BY id DESC LIMIT 1000",
                       {m_deployment});
    if (!silences)
        return tl::unexpected(silences.error());
    while (silences->next())
        contents.silences.push_back(
            {silences->value(0).toLongLong(), silences->value(1).toByteArray(),
             silences->value(2).toByteArray(), silences->value(3).toLongLong(),
             silences->value(4).toLongLong(), silences->value(5).toString(),
             silences->value(6).toString()});
    return contents;
}

Result<void> AlertStore::commit(const std::vector<AlertEvent>& events,
                                const std::vector<WrittenNotification>& messages)
{
    return m_database.whole([&]() -> Result<void> {
        for (const AlertEvent& event : events) {
            if (const Result<void> kept = keep(event); !kept)
                return kept;
        }
        for (const WrittenNotification& message : messages) {
            if (const Result<void> queued = queue(message); !queued)
                return queued;
        }
        return {};
    });
}

Result<void> AlertStore::keep(const AlertEvent& event)
{
    const Alert& a = *event.alert;
    const auto kept = m_database.run(
        "INSERT INTO alert (id, deployment, rule, severity, kind, layout, primitive, name, text, "
        "since_ms, fired_ms, resolved_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET resolved_ms = excluded.resolved_ms",
        {QString::fromLatin1(a.id), m_deployment, bytes(a.rule), int(a.severity),
         a.kind ? QVariant(int(*a.kind)) : QVariant(), bytes(a.primitive.layout),
         bytes(a.primitive.name), bytes(a.name), text(a.text), a.sinceMs, a.firedMs, a.resolvedMs});
    return onlyWhether(kept);
}

Result<void> AlertStore::queue(const WrittenNotification& message)
{
    const Notification& n = message.notification;
    for (const QByteArray& id : n.notified) {
        const auto told = m_database.run("INSERT OR IGNORE INTO told VALUES (?, ?)",
                                         {QString::fromLatin1(id), QString::fromUtf8(n.target)});
        if (!told)
            return tl::unexpected(told.error());
    }
    // One that is there was queued before: it is not sent twice.
    return onlyWhether(
        m_database.run("INSERT OR IGNORE INTO outbox VALUES (?, ?, ?, ?, ?, 0, 0, ?, '', 0, '', 0)",
                       {QString::fromLatin1(n.id), m_deployment, QString::fromUtf8(n.target),
                        bytes(message.body), n.atMs, n.atMs}));
}

Result<void> AlertStore::acknowledge(const QByteArray& id, const QString& by, qint64 nowMs)
{
    return onlyWhether(m_database.run(
        "UPDATE alert SET acknowledged_ms = ?, acknowledged_by = ? WHERE id = ? AND deployment = ? "
        "AND resolved_ms = 0 AND acknowledged_ms = 0",
        {nowMs, text(by), QString::fromLatin1(id), m_deployment}));
}

Result<void> AlertStore::add(const Silence& silence)
{
    return onlyWhether(m_database.run(
        "INSERT INTO silence (deployment, rule, match, until_ms, at_ms, by_whom, reason) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        {m_deployment, bytes(silence.rule), bytes(silence.match), silence.untilMs, silence.atMs,
         text(silence.by), text(silence.reason)}));
}

Result<void> AlertStore::endSilence(qint64 id)
{
    return onlyWhether(
        m_database.run("DELETE FROM silence WHERE id = ? AND deployment = ?", {id, m_deployment}));
}

Result<void> AlertStore::prune(qint64 nowMs)
{
    return m_database.whole([&]() -> Result<void> {
        const std::pair<const char*, QVariantList> statements[] = {
            {"DELETE FROM silence WHERE until_ms != 0 AND until_ms < ?", {nowMs}},
            {"DELETE FROM outbox WHERE state != 0 AND done_ms < ?", {nowMs - deliveredMs}},
            {"DELETE FROM alert WHERE resolved_ms != 0 AND resolved_ms < ?", {nowMs - keptMs}},
            {"DELETE FROM alert WHERE deployment = ? AND resolved_ms != 0 AND id NOT IN (SELECT id "
             "FROM alert WHERE deployment = ? AND resolved_ms != 0 ORDER BY resolved_ms DESC "
             "LIMIT ?)",
             {m_deployment, m_deployment, qint64(Alerts::mostPast)}},
            {"DELETE FROM told WHERE alert NOT IN (SELECT id FROM alert)", {}},
        };
        for (const auto& [statement, values] : statements) {
            if (const auto done = m_database.run(statement, values); !done)
                return tl::unexpected(done.error());
        }
        return {};
    });
}

} // namespace lk
