// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/undorecord.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk {

namespace {

struct UndoRecordText
{
    Q_DECLARE_TR_FUNCTIONS(lk::UndoRecord)
};

QString coded(const QByteArray& bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray decoded(const QJsonValue& value)
{
    return QByteArray::fromBase64(value.toString().toLatin1());
}

QJsonArray codedAll(const std::vector<QByteArray>& all)
{
    QJsonArray array;
    for (const QByteArray& bytes : all)
        array.append(coded(bytes));
    return array;
}

std::vector<QByteArray> decodedAll(const QJsonValue& value)
{
    std::vector<QByteArray> all;
    for (const QJsonValue& one : value.toArray())
        all.push_back(decoded(one));
    return all;
}

// Four arguments for each key: what it was, and what it was left as.
bool restoreArgs(const Receipt& receipt, std::vector<QByteArray>& args)
{
    for (const KeyChange& c : receipt.changes) {
        if ((c.existed() && !c.dump) || !c.fingerprintAfter)
            return false;
        args.insert(args.end(), {c.dump.value_or(QByteArray()), QByteArray::number(c.expiryMs),
                                 *c.fingerprintAfter, QByteArray::number(c.expiryAfterMs)});
    }
    return !receipt.changes.empty();
}

// A size of 0 of what was there: it could not be asked.
QString notKeptText(const Receipt& receipt)
{
    const bool unknown =
        std::any_of(receipt.changes.begin(), receipt.changes.end(),
                    [](const KeyChange& c) { return c.existed() && c.bytes == 0; });
    return unknown ? UndoRecordText::tr("its size is unknown: no permission for MEMORY USAGE")
                   : UndoRecordText::tr("it was too large to keep");
}

} // namespace

std::optional<UndoRecord> undoFor(const Plan& plan, Receipt& receipt, const QString& endpoint)
{
    if (receipt.outcome != Outcome::Succeeded)
        return std::nullopt;
    const qint64 at = receipt.serverMs > 0 ? receipt.serverMs : receipt.localMs;
    UndoRecord record{receipt.id,       plan.action,    plan.kind,        plan.name,
                      plan.journalName, endpoint,       plan.undo.script, plan.undo.keys,
                      plan.undo.args,   at + undoKeptMs};
    switch (plan.undo.kind) {
    case UndoWay::Kind::None:
        receipt.undoNote = plan.undo.why;
        return std::nullopt;
    case UndoWay::Kind::Restore:
        record.script = QByteArrayLiteral("undo-restore");
        record.keys = plan.keys;
        record.args.clear();
        if (!restoreArgs(receipt, record.args)) {
            receipt.undoNote = notKeptText(receipt);
            return std::nullopt;
        }
        break;
    case UndoWay::Kind::Script:
        for (size_t i = 0; plan.undo.appendsItems && i < plan.items.size(); ++i) {
            if (i >= receipt.items.size() || receipt.items[i])
                record.args.push_back(plan.items[i]);
        }
        break;
    }
    const bool known =
        std::all_of(receipt.changes.begin(), receipt.changes.end(),
                    [](const KeyChange& c) { return c.fingerprintAfter.has_value(); });
    for (size_t i = 0; known && i < receipt.changes.size(); ++i)
        record.after.emplace_back(receipt.changes[i].key, *receipt.changes[i].fingerprintAfter);
    receipt.undoable = true;
    receipt.undoNote = UndoRecordText::tr("for a day, unless the key changes");
    return record;
}

QByteArray bytesOf(const UndoRecord& record)
{
    QJsonArray after;
    for (const auto& [key, fingerprint] : record.after)
        after.append(QJsonArray{coded(key), QString::fromLatin1(fingerprint)});
    const QJsonObject json{{QStringLiteral("receipt"), QString::fromLatin1(record.receipt)},
                           {QStringLiteral("action"), QString::fromLatin1(record.action)},
                           {QStringLiteral("kind"), int(record.kind)},
                           {QStringLiteral("name"), coded(record.name)},
                           {QStringLiteral("journal_name"), coded(record.journalName)},
                           {QStringLiteral("endpoint"), record.endpoint},
                           {QStringLiteral("node"), record.node},
                           {QStringLiteral("script"), QString::fromLatin1(record.script)},
                           {QStringLiteral("keys"), codedAll(record.keys)},
                           {QStringLiteral("args"), codedAll(record.args)},
                           {QStringLiteral("after"), after},
                           {QStringLiteral("expires_ms"), double(record.expiresMs)}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

std::optional<UndoRecord> undoRecordFrom(const QByteArray& bytes)
{
    const QJsonObject json = QJsonDocument::fromJson(bytes).object();
    UndoRecord record;
    record.receipt = json[QLatin1String("receipt")].toString().toLatin1();
    record.action = json[QLatin1String("action")].toString().toLatin1();
    record.kind = Kind(std::clamp(json[QLatin1String("kind")].toInt(), 0, int(Kind::Pattern)));
    record.name = decoded(json[QLatin1String("name")]);
    record.journalName = decoded(json[QLatin1String("journal_name")]);
    record.endpoint = json[QLatin1String("endpoint")].toString();
    record.node = json[QLatin1String("node")].toString();
    record.script = json[QLatin1String("script")].toString().toLatin1();
    record.keys = decodedAll(json[QLatin1String("keys")]);
    record.args = decodedAll(json[QLatin1String("args")]);
    record.expiresMs = qint64(json[QLatin1String("expires_ms")].toDouble());
    for (const QJsonValue& one : json[QLatin1String("after")].toArray())
        record.after.emplace_back(decoded(one.toArray().at(0)),
                                  one.toArray().at(1).toString().toLatin1());
    if (record.script.isEmpty() || record.keys.empty())
        return std::nullopt;
    return record;
}

} // namespace lk
