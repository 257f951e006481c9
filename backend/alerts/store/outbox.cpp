// SPDX-License-Identifier: GPL-3.0-or-later
// The notifications that are still to be delivered.
#include "backend/alerts/store/alertstore.h"

#include <QCoreApplication>
#include <QSqlQuery>

namespace lk {

namespace {

struct OutboxText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Alert)
};

// Nothing waits for so long: this machine's clock was set back.
constexpr qint64 absurdMs = 30 * 60 * 1000;

constexpr qint64 unsentMs = 24LL * 3600 * 1000;

bool isLater(qint64 tMs, qint64 nowMs)
{
    return tMs > nowMs && tMs - nowMs < absurdMs;
}

} // namespace

Result<std::optional<QueuedDelivery>> AlertStore::claim(const QByteArray& target, qint64 nowMs,
                                                        qint64 forMs, Unanswered unanswered)
{
    std::optional<QueuedDelivery> next;
    const Result<void> claimed = m_database.whole([&]() -> Result<void> {
        for (;;) {
            // In the order in which they came: what ends an alert comes after the notification that
            // it fired. One that waits for its next attempt holds up those behind it, which have
            // the same way to go.
            Result<QSqlQuery> row = m_database.run(
                "SELECT id, body, at_ms, attempts, next_ms, claimed_until_ms, claimed_by FROM "
                "outbox WHERE deployment = ? AND target = ? AND state = 0 ORDER BY at_ms, rowid "
                "LIMIT 1",
                {m_deployment, QString::fromUtf8(target)});
            if (!row)
                return tl::unexpected(row.error());
            if (!row->next() || isLater(row->value(4).toLongLong(), nowMs) ||
                isLater(row->value(5).toLongLong(), nowMs))
                return {};
            const QueuedDelivery found{row->value(0).toByteArray(), target,
                                       row->value(1).toByteArray(), row->value(2).toLongLong(),
                                       row->value(3).toInt() + 1};
            const bool begun = !row->value(6).toString().isEmpty();
            row->finish();
            if (begun && unanswered == Unanswered::GivenUp) {
                const Result<void> given = giveUp(found.id, nowMs);
                if (!given)
                    return given;
                continue;
            }
            // On disk before anything is sent: a program that finds the claim knows that it may
            // have been sent.
            const auto taken = m_database.run(
                "UPDATE outbox SET claimed_by = ?, claimed_until_ms = ?, attempts = ? WHERE id = ?",
                {m_claimant, nowMs + forMs, found.attempts, QString::fromLatin1(found.id)});
            if (!taken)
                return tl::unexpected(taken.error());
            next = found;
            return {};
        }
    });
    if (!claimed)
        return tl::unexpected(claimed.error());
    return next;
}

Result<void> AlertStore::giveUp(const QByteArray& id, qint64 nowMs)
{
    m_gaveUp = true;
    const auto done = m_database.run(
        "UPDATE outbox SET state = 2, done_ms = ?, problem = ?, claimed_by = '' WHERE id = ?",
        {nowMs,
         OutboxText::tr(
             "the program exited while this was being sent: it may have been delivered, and "
             "is not sent again"),
         QString::fromLatin1(id)});
    return done ? Result<void>() : Result<void>(tl::unexpected(done.error()));
}

Result<void> AlertStore::delivered(const QByteArray& id, qint64 nowMs)
{
    const auto done =
        m_database.run("UPDATE outbox SET state = 1, done_ms = ?, problem = '', body = '' "
                       "WHERE id = ?",
                       {nowMs, QString::fromLatin1(id)});
    return done ? Result<void>() : Result<void>(tl::unexpected(done.error()));
}

Result<void> AlertStore::notDelivered(const QByteArray& id, const QString& problem, qint64 nextMs,
                                      qint64 nowMs)
{
    const auto done = m_database.run(
        "UPDATE outbox SET state = ?, next_ms = ?, done_ms = ?, problem = ?, claimed_until_ms = 0, "
        "claimed_by = '' WHERE id = ?",
        {nextMs == 0 ? 2 : 0, nextMs, nextMs == 0 ? nowMs : 0, problem, QString::fromLatin1(id)});
    return done ? Result<void>() : Result<void>(tl::unexpected(done.error()));
}

Result<void> AlertStore::forgetUnsent(const QByteArrayList& targets, qint64 nowMs)
{
    return m_database.whole([&]() -> Result<void> {
        Result<QSqlQuery> rows = m_database.run(
            "SELECT DISTINCT target FROM outbox WHERE deployment = ? AND state = 0 AND at_ms < ?",
            {m_deployment, nowMs - unsentMs});
        if (!rows)
            return tl::unexpected(rows.error());
        QByteArrayList unknown;
        while (rows->next()) {
            if (const QByteArray target = rows->value(0).toByteArray(); !targets.contains(target))
                unknown << target;
        }
        rows->finish();
        for (const QByteArray& target : unknown) {
            const auto done =
                m_database.run("DELETE FROM outbox WHERE deployment = ? AND state = "
                               "0 AND target = ? AND at_ms < ?",
                               {m_deployment, QString::fromUtf8(target), nowMs - unsentMs});
            if (!done)
                return tl::unexpected(done.error());
        }
        return {};
    });
}

Result<std::vector<TargetStatus>> AlertStore::targets() const
{
    std::vector<TargetStatus> all;
    Result<QSqlQuery> rows = m_database.run(
        "SELECT target, SUM(state = 0), MAX(CASE WHEN state = 1 THEN done_ms ELSE 0 END), "
        "MAX(CASE WHEN state != 1 THEN problem ELSE '' END) FROM outbox WHERE deployment = ? "
        "GROUP BY target ORDER BY target",
        {m_deployment});
    if (!rows)
        return tl::unexpected(rows.error());
    while (rows->next())
        all.push_back({rows->value(0).toByteArray(), rows->value(1).toLongLong(),
                       rows->value(2).toLongLong(), rows->value(3).toString()});
    return all;
}

} // namespace lk
