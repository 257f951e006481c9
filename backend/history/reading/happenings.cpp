// SPDX-License-Identifier: GPL-3.0-or-later
// Queries for holds, events and ages.
#include "backend/core/names/foreigntext.h"
#include "backend/history/reading/packedholds.h"
#include "backend/history/reading/rows.h"
#include "backend/history/recordqueries.h"
#include "backend/history/store/recordfile.h"

#include <QStringList>

#include <algorithm>

namespace lk {

namespace {

constexpr const char* holdColumns =
    "SELECT h.owner, h.from_ms, h.to_ms, h.lease_end_ms, h.flags, h.renewals, p.layout, p.name "
    "FROM hold h JOIN primitive p ON p.id = h.primitive ";

RecordedHold holdFrom(const Rows& rows)
{
    HoldFrame frame;
    frame.owner = rows.bytes(0);
    frame.fromMs = rows.number(1);
    frame.toMs = rows.number(2);
    if (!rows.isNull(3))
        frame.leaseEndMs = rows.number(3);
    frame.flags = quint8(rows.number(4));
    frame.count = rows.number(5);
    return holdOf(frame, {rows.bytes(6), rows.bytes(7)});
}

RecordedEvent eventFrom(const Rows& rows)
{
    RecordedEvent event;
    event.id = rows.number(0);
    event.tMs = rows.number(1);
    event.type = EventType(rows.number(2));
    event.severity = Finding::Severity(std::clamp<qint64>(rows.number(3), 0, 2));
    event.code = rows.bytes(4);
    event.who = foreignText(rows.text(5));
    event.text = foreignText(rows.text(6));
    event.detail = foreignText(rows.text(7));
    event.ref = rows.bytes(8);
    event.value = rows.real(9);
    event.primitive = {rows.bytes(10), rows.bytes(11)};
    event.kind = Kind(std::clamp<qint64>(rows.number(12), 0, qint64(Kind::Pattern)));
    return event;
}

// The condition contains only event numbers, no foreign text.
QString typeCondition(const QSet<EventType>& types)
{
    if (types.isEmpty())
        return {};
    QStringList numbers;
    for (const EventType type : types)
        numbers << QString::number(int(type));
    return QStringLiteral(" AND e.type IN (%1)").arg(numbers.join(QLatin1Char(',')));
}

QByteArray eventSql(const QString& conditions, const char* order)
{
    return QStringLiteral(
               "SELECT e.id, e.t_ms, e.type, e.severity, e.code, e.who, e.text, e.detail, e.ref, "
               "e.value, p.layout, p.name, p.kind FROM event e LEFT JOIN primitive p ON p.id = "
               "e.primitive WHERE e.deployment = ? AND e.t_ms >= ? AND e.t_ms <= ?%1 ORDER BY "
               "e.t_ms %2, e.id %2 LIMIT ?")
        .arg(conditions, QLatin1String(order))
        .toLatin1();
}

} // namespace

std::vector<RecordedHold> RecordQueries::holds(const RecordedId& id, qint64 fromMs, qint64 toMs,
                                               int limit)
{
    const qint64 deployment = deploymentNumber(id.deployment);
    const qint64 primitive = primitiveNumber(id);
    std::vector<RecordedHold> holds;
    for (const HoldFrame& frame :
         PackedHolds(*m_file, deployment).of(primitive, fromMs, toMs, size_t(std::max(limit, 0)))) {
        if (!(frame.flags & HoldFrame::Omitted))
            holds.push_back(holdOf(frame, id.primitive));
    }
    const QByteArray sql = QByteArray(holdColumns) +
                           "WHERE h.primitive = ? AND h.from_ms <= ? AND "
                           "(h.to_ms >= ? OR h.flags & 1) ORDER BY h.from_ms DESC LIMIT ?";
    // An open hold lasts to the end of the recording, because only changes are recorded.
    Rows last(*m_file, "SELECT max(to_ms) FROM recording WHERE deployment = ?", {deployment});
    const qint64 lastMs = last.next() ? last.number(0) : 0;
    const auto packed = qptrdiff(holds.size());
    Rows rows(*m_file, sql.constData(), {primitive, toMs, fromMs, limit});
    while (rows.next()) {
        holds.push_back(holdFrom(rows));
        if (RecordedHold& hold = holds.back(); hold.open)
            hold.toMs = std::max(hold.toMs, lastMs);
    }
    std::reverse(holds.begin() + packed, holds.end());
    std::ranges::stable_sort(holds, {}, &RecordedHold::fromMs);
    if (const auto most = size_t(std::max(limit, 0)); holds.size() > most)
        holds.erase(holds.begin(), holds.end() - qptrdiff(most));
    return holds;
}

std::vector<RecordedHold> RecordQueries::openHolds(const QByteArray& deployment)
{
    std::vector<RecordedHold> holds;
    const QByteArray sql =
        QByteArray(holdColumns) + "WHERE h.deployment = ? AND h.flags & 1 = 1 ORDER BY h.to_ms";
    Rows rows(*m_file, sql.constData(), {deploymentNumber(deployment)});
    while (rows.next())
        holds.push_back(holdFrom(rows));
    return holds;
}

// The present recorder has closed these holds already, as of that time.
std::vector<RecordedHold> RecordQueries::leftHolds(const QByteArray& deployment)
{
    constexpr qint64 slackMs = 2000;
    const qint64 number = deploymentNumber(deployment);
    Rows before(*m_file,
                "SELECT to_ms FROM recording WHERE deployment = ? ORDER BY from_ms DESC LIMIT 1 "
                "OFFSET 1",
                {number});
    std::vector<RecordedHold> holds;
    if (!before.next())
        return holds;
    const QByteArray sql =
        QByteArray(holdColumns) + "WHERE h.deployment = ? AND h.to_ms >= ? AND h.flags & 41 = 32";
    Rows rows(*m_file, sql.constData(), {number, before.number(0) - slackMs});
    while (rows.next())
        holds.push_back(holdFrom(rows));
    return holds;
}

std::vector<RecordedHold> RecordQueries::lastHolds(const QByteArray& deployment, int limit)
{
    std::vector<RecordedHold> holds;
    const QByteArray sql =
        QByteArray(holdColumns) +
        "WHERE h.deployment = ? AND h.flags & 9 = 8 ORDER BY h.to_ms DESC LIMIT ?";
    Rows rows(*m_file, sql.constData(), {deploymentNumber(deployment), limit});
    while (rows.next())
        holds.push_back(holdFrom(rows));
    // Holds in rows are newer than those in blocks, except for some that lasted for hours.
    const std::vector<RecordedHold> packed =
        PackedHolds(*m_file, deploymentNumber(deployment)).last(limit);
    holds.insert(holds.end(), packed.begin(), packed.end());
    std::ranges::stable_sort(holds, {}, &RecordedHold::toMs);
    if (const auto most = size_t(std::max(limit, 0)); holds.size() > most)
        holds.erase(holds.begin(), holds.end() - qptrdiff(most));
    return holds;
}

// The times when a primitive was first and last seen are in its own row.
void RecordQueries::addFirstSeen(const EventQuery& query, std::vector<RecordedEvent>& events)
{
    Rows rows(*m_file, "SELECT first_ms, gone_ms, kind FROM primitive WHERE id = ?",
              {primitiveNumber({query.deployment, *query.primitive})});
    if (!rows.next())
        return;
    const Kind kind = Kind(std::clamp<qint64>(rows.number(2), 0, qint64(Kind::Pattern)));
    const auto add = [&](EventType type, qint64 tMs) {
        if ((!query.types.isEmpty() && !query.types.contains(type)) || tMs < query.fromMs ||
            tMs > query.toMs)
            return;
        RecordedEvent event;
        event.type = type;
        event.tMs = tMs;
        event.primitive = *query.primitive;
        event.kind = kind;
        // At equal times, the primitive's first event comes before the others and its last event
        // after them.
        const auto place = type == EventType::PrimitiveSeen
                               ? std::ranges::lower_bound(events, tMs, {}, &RecordedEvent::tMs)
                               : std::ranges::upper_bound(events, tMs, {}, &RecordedEvent::tMs);
        events.insert(place, std::move(event));
    };
    add(EventType::PrimitiveSeen, rows.number(0));
    if (!rows.isNull(1))
        add(EventType::PrimitiveGone, rows.number(1));
    if (const size_t most = size_t(std::max(query.limit, 0)); events.size() > most) {
        if (query.latest)
            events.erase(events.begin(), events.end() - qptrdiff(most));
        else
            events.resize(most);
    }
}

std::vector<RecordedEvent> RecordQueries::events(const EventQuery& query)
{
    std::vector<RecordedEvent> events;
    QString conditions = typeCondition(query.types);
    QVariantList values{deploymentNumber(query.deployment), query.fromMs, query.toMs};
    if (query.primitive) {
        conditions += QStringLiteral(" AND e.primitive = ?");
        values << primitiveNumber({query.deployment, *query.primitive});
    }
    values << query.limit;
    Rows rows(*m_file, eventSql(conditions, query.latest ? "DESC" : "ASC").constData(), values);
    while (rows.next())
        events.push_back(eventFrom(rows));
    if (query.latest)
        std::reverse(events.begin(), events.end());
    if (query.primitive) {
        addPacked(query, events);
        addFirstSeen(query, events);
    }
    return events;
}

// Counts of short holds are packed like other holds.
void RecordQueries::addPacked(const EventQuery& query, std::vector<RecordedEvent>& events)
{
    if (!query.types.isEmpty() && !query.types.contains(EventType::HoldsOmitted))
        return;
    const qint64 deployment = deploymentNumber(query.deployment);
    const qint64 number = primitiveNumber({query.deployment, *query.primitive});
    for (const HoldFrame& frame :
         PackedHolds(*m_file, deployment)
             .of(number, query.fromMs, query.toMs, std::numeric_limits<size_t>::max())) {
        if (frame.flags & HoldFrame::Omitted && frame.fromMs >= query.fromMs)
            events.push_back(omittedOf(frame, *query.primitive));
    }
    std::ranges::stable_sort(events, {}, &RecordedEvent::tMs);
}

// The type number of an end is that of its begin plus one.
std::vector<RecordedEvent> RecordQueries::unended(const QByteArray& deployment, qint64 sinceMs)
{
    std::vector<RecordedEvent> events;
    const QString conditions =
        typeCondition({EventType::StuckBegan, EventType::FullBegan, EventType::PausedBegan}) +
        QStringLiteral(" AND NOT EXISTS (SELECT 1 FROM event x WHERE x.primitive = e.primitive "
                       "AND x.type = e.type + 1 AND x.id > e.id)");
    Rows rows(*m_file, eventSql(conditions, "ASC").constData(),
              {deploymentNumber(deployment), sinceMs, std::numeric_limits<qint64>::max(), -1});
    while (rows.next())
        events.push_back(eventFrom(rows));
    return events;
}

// A token's name is recorded without its code, so the token cannot be found by it.
RecordedAges RecordQueries::ages(const QByteArray& deployment, int most)
{
    constexpr qint64 longestMs = 90LL * 24 * 3600 * 1000;
    RecordedAges ages;
    RecordedMoment now;
    now.atMs = std::numeric_limits<qint64>::max();
    const qint64 number = deploymentNumber(deployment);
    addFindings(number, now);
    ages.findings = std::move(now.findings);
    ages.untilMs = span(deployment).lastMs;
    ages.unended = unended(deployment, ages.untilMs - longestMs);
    Rows rows(*m_file,
              "SELECT layout, name, first_ms FROM primitive WHERE deployment = ? AND gone_ms IS "
              "NULL AND kind <> ? ORDER BY id LIMIT ?",
              {number, int(Kind::Token), most});
    while (rows.next())
        ages.firstMs.emplace_back(PrimitiveId{rows.bytes(0), rows.bytes(1)}, rows.number(2));
    return ages;
}

std::optional<RecordedEvent> RecordQueries::nextEvent(const QByteArray& deployment, qint64 afterMs,
                                                      const QSet<EventType>& types)
{
    Rows rows(*m_file, eventSql(typeCondition(types), "ASC").constData(),
              {deploymentNumber(deployment), afterMs + 1, std::numeric_limits<qint64>::max(), 1});
    return rows.next() ? std::optional(eventFrom(rows)) : std::nullopt;
}

std::optional<RecordedEvent> RecordQueries::previousEvent(const QByteArray& deployment, qint64 atMs,
                                                          const QSet<EventType>& types)
{
    Rows rows(*m_file, eventSql(typeCondition(types), "DESC").constData(),
              {deploymentNumber(deployment), 0, atMs - 1, 1});
    return rows.next() ? std::optional(eventFrom(rows)) : std::nullopt;
}

} // namespace lk
