// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordqueries.h"

#include "backend/history/reading/rows.h"
#include "backend/history/store/codec/serverfacts.h"
#include "backend/history/store/codec/statecodec.h"
#include "backend/history/store/recordfile.h"

#include <QDateTime>

#include <algorithm>

namespace lk {

RecordQueries::RecordQueries(QString path)
    : m_file(std::make_unique<RecordFile>(std::move(path)))
{}

RecordQueries::~RecordQueries() = default;

Result<void> RecordQueries::open()
{
    return m_file->open(RecordFile::Access::Read);
}

std::optional<Error> RecordQueries::damage() const
{
    return m_file->damage();
}

bool RecordQueries::isInPlace() const
{
    return m_file->isInPlace();
}

qint64 RecordQueries::deploymentNumber(const QByteArray& key)
{
    Rows rows(*m_file, "SELECT deployment FROM alias WHERE alias = ?", {key});
    return rows.next() ? rows.number(0) : 0;
}

qint64 RecordQueries::primitiveNumber(const RecordedId& id)
{
    Rows rows(*m_file, "SELECT id FROM primitive WHERE deployment = ? AND layout = ? AND name = ?",
              {deploymentNumber(id.deployment), id.primitive.layout.text(), id.primitive.name});
    return rows.next() ? rows.number(0) : 0;
}

QByteArray RecordQueries::find(const QByteArrayList& names)
{
    for (const QByteArray& name : names) {
        Rows rows(*m_file,
                  "SELECT key FROM deployment WHERE id = (SELECT deployment FROM alias WHERE "
                  "alias = ?)",
                  {name});
        if (rows.next())
            return rows.bytes(0);
    }
    return {};
}

RecordedSpan RecordQueries::span(const QByteArray& deployment)
{
    RecordedSpan span;
    const qint64 number = deploymentNumber(deployment);
    Rows rows(*m_file,
              "SELECT key, title, recorder IS NOT NULL AND lease_until_ms > ?, (SELECT "
              "min(from_ms) FROM recording WHERE deployment = d.id), (SELECT max(to_ms) FROM "
              "recording WHERE deployment = d.id), (SELECT count(*) FROM primitive WHERE "
              "deployment = d.id AND gone_ms IS NULL) FROM deployment d WHERE id = ?",
              {QDateTime::currentMSecsSinceEpoch(), number});
    if (!rows.next())
        return span;
    span.deployment.key = rows.bytes(0);
    span.deployment.title = rows.text(1);
    span.recordedNow = rows.number(2) != 0;
    span.firstMs = rows.number(3);
    span.lastMs = rows.number(4);
    span.primitives = rows.number(5);
    Rows aliases(*m_file, "SELECT alias FROM alias WHERE deployment = ?", {number});
    while (aliases.next()) {
        if (aliases.bytes(0) != span.deployment.key)
            span.deployment.aliases << aliases.bytes(0);
    }
    return span;
}

// Older files do not contain it.
qint64 RecordQueries::offsetMs(const QByteArray& deployment)
{
    Rows rows(*m_file, "SELECT offset_ms FROM deployment WHERE id = ?",
              {deploymentNumber(deployment)});
    return rows.next() ? rows.number(0) : 0;
}

std::vector<RecordedSpan> RecordQueries::deployments()
{
    std::vector<RecordedSpan> all;
    Rows rows(*m_file, "SELECT key FROM deployment ORDER BY id", {});
    while (rows.next())
        all.push_back(span(rows.bytes(0)));
    return all;
}

std::vector<std::pair<RecordedId, PrimitivePtr>> RecordQueries::named(const QByteArray& deployment,
                                                                      const QByteArray& name)
{
    std::vector<std::pair<RecordedId, PrimitivePtr>> found;
    const qint64 number = deployment.isEmpty() ? 0 : deploymentNumber(deployment);
    const auto add = [&](const char* sql, bool exact) {
        Rows rows(*m_file, sql, {number, number, name});
        while (rows.next()) {
            const PrimitivePtr primitive = decodePrimitive(rows.bytes(1));
            const auto isNamed = [&](const Primitive& p) {
                return p.id.name == name || *p.label == name ||
                       std::any_of(p.keys.begin(), p.keys.end(),
                                   [&](const KeyRole& k) { return k.key == name; });
            };
            if (primitive && (exact || isNamed(*primitive)))
                found.emplace_back(RecordedId{rows.bytes(0), primitive->id}, primitive);
        }
    };
    add("SELECT d.key, p.info FROM primitive p JOIN deployment d ON d.id = p.deployment WHERE "
        "(? = 0 OR p.deployment = ?) AND p.name = ? ORDER BY p.gone_ms IS NULL DESC, p.gone_ms "
        "DESC, p.id DESC",
        true);
    if (found.empty()) // by its label or a key, which are in its description
        add("SELECT d.key, p.info FROM primitive p JOIN deployment d ON d.id = p.deployment WHERE "
            "(? = 0 OR p.deployment = ?) AND instr(p.info, ?) > 0 ORDER BY p.gone_ms IS NULL "
            "DESC, p.gone_ms DESC, p.id DESC",
            false);
    return found;
}

PrimitivePtr RecordQueries::primitive(const RecordedId& id)
{
    Rows rows(*m_file, "SELECT info FROM primitive WHERE id = ?", {primitiveNumber(id)});
    return rows.next() ? decodePrimitive(rows.bytes(0)) : nullptr;
}

std::vector<RecordQueries::Stretch> RecordQueries::stretches(qint64 deployment, qint64 fromMs,
                                                             qint64 toMs)
{
    std::vector<Stretch> all;
    Rows rows(*m_file,
              "SELECT from_ms, to_ms, ended FROM recording WHERE deployment = ? AND to_ms >= ? AND "
              "from_ms <= ? ORDER BY from_ms",
              {deployment, fromMs, toMs});
    while (rows.next())
        all.push_back({rows.number(0), rows.number(1), rows.bytes(2)});
    return all;
}

std::optional<RecordQueries::Stretch> RecordQueries::stretchAt(qint64 deployment, qint64 tMs)
{
    Rows rows(*m_file,
              "SELECT from_ms, to_ms, ended FROM recording WHERE deployment = ? AND from_ms <= ? "
              "ORDER BY from_ms DESC LIMIT 1",
              {deployment, tMs});
    if (!rows.next())
        return std::nullopt;
    return Stretch{rows.number(0), rows.number(1), rows.bytes(2)};
}

std::vector<RecordedGap> RecordQueries::gaps(const QByteArray& deployment, qint64 fromMs,
                                             qint64 toMs)
{
    // A recorder extends the span only every two seconds.
    constexpr qint64 slackMs = 4000;
    std::vector<RecordedGap> gaps;
    const qint64 number = deploymentNumber(deployment);
    const std::optional<Stretch> before = stretchAt(number, fromMs);
    qint64 knownMs = before ? std::max(before->toMs, fromMs) : fromMs;
    QByteArray ended = before ? before->ended : QByteArray();
    bool any = before.has_value();
    const auto reason = [&] { return any ? gapReasonOf(ended) : GapReason::None; };
    if (before && before->toMs < fromMs)
        knownMs = fromMs;
    for (const Stretch& stretch : stretches(number, fromMs, toMs)) {
        if (stretch.fromMs > knownMs + (any && ended.isEmpty() ? slackMs : 0))
            gaps.push_back({knownMs, stretch.fromMs, reason()});
        knownMs = std::max(knownMs, stretch.toMs);
        ended = stretch.ended;
        any = true;
    }
    if (toMs > knownMs + slackMs)
        gaps.push_back({knownMs, toMs, reason()});
    return gaps;
}

} // namespace lk
