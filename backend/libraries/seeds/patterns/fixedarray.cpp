// SPDX-License-Identifier: GPL-3.0-or-later
// SETRANGE and GETRANGE on one string: an array of records of a fixed size. Records that were not
// written yet are zeros. Redis does not store the size: without a declaration only the bytes are
// known.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/names/namewords.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 fixedArrayBytesRead = 4096;
constexpr qint64 recordsRead = 64;

qint64 recordBytes(const Primitive& primitive)
{
    return primitive.declaration ? primitive.declaration->recordBytes.value_or(0) : 0;
}

QByteArray withoutPadding(const QByteArray& record)
{
    qsizetype size = record.size();
    while (size > 0 && record[size - 1] == '\0')
        --size;
    return record.left(size);
}

class FixedArray final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("array"); }
    QString title() const override { return LayoutText::tr("Array of records"); }
    Kind kind() const override { return Kind::Pattern; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("array"); }
    KeyType mainType() const override { return KeyType::String; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"record", FieldShape::Count, &Declaration::recordBytes}};
    }
    QString exampleDeclaration() const override
    {
        return QStringLiteral("[[pattern]]\n"
                              "key = \"seats\"\n"
                              "layout = \"array\"\n"
                              "record = 16");
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        // SETRANGE fills gaps with zeros.
        if (probe.type != KeyType::String || !probe.head.contains('\0') ||
            !hasWord(probe.name, words<"array", "arrays", "records", "slots", "cells">))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.5};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        const QByteArray key = primitive.key("array");
        std::vector<Command> commands{{QByteArrayLiteral("STRLEN"), key}, probecommands::ttl(key)};
        if (const qint64 rows = rowsWanted(primitive); context.depth == Depth::Detail && rows > 0)
            commands.push_back({QByteArrayLiteral("GETRANGE"), key, "0",
                                QByteArray::number(rows * recordBytes(primitive) - 1)});
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        const qint64 bytes = countOf(replies[0]);
        const qint64 record = recordBytes(primitive);
        const Ttl ttl = ttlOf(replies[1]);
        PatternState pattern;
        // SETRANGE may leave the last record incomplete.
        const qint64 records = record > 0 ? (bytes + record - 1) / record : 0;
        pattern.values = {{QByteArrayLiteral("records"), record > 0 ? double(records) : qQNaN()},
                          {QByteArrayLiteral("bytes"), double(bytes)}};
        pattern.rowsAre = record > 0 ? PatternState::Rows::Records : PatternState::Rows::None;
        for (qint64 at = 0; replies.size() > 2 && at < replies[2].text.size(); at += record) {
            PatternRow row = rowOf(withoutPadding(replies[2].text.mid(at, record)));
            row.bytes = record;
            pattern.rows.push_back(std::move(row));
        }
        pattern.rowsTruncated = qint64(pattern.rows.size()) < records;
        if (record > 0)
            reading.state.facts.push_back(
                {LayoutText::tr("Record size"), QLocale().toString(record), Source::Declared});
        finalizePattern(reading.state, std::move(pattern), ttl, context.nowMs);
        return reading;
    }

private:
    static qint64 rowsWanted(const Primitive& primitive)
    {
        const qint64 record = recordBytes(primitive);
        return record > 0 ? std::min(recordsRead, fixedArrayBytesRead / record) : 0;
    }
};

} // namespace

LK_LAYOUT(fixedArray, FixedArray)

} // namespace lk
