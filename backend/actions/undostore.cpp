// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/undostore.h"

#include "backend/core/keyname.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>
#include <cstdio>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::UndoStore)
};

constexpr auto ownerOnly = QFile::ReadOwner | QFile::WriteOwner;

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

bool isReceiptName(const QByteArray& id)
{
    return id.size() > 1 && id.size() < 40
           && std::all_of(id.begin(), id.end(), [](char c) {
                  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
              });
}

} // namespace

std::optional<UndoRecord> undoFor(const Plan& plan, Receipt& receipt, const QString& endpoint)
{
    if (receipt.outcome != Outcome::Done)
        return std::nullopt;
    UndoRecord record{receipt.id, plan.action, plan.kind, plan.name, plan.journalName, endpoint,
                      plan.undo.script, plan.undo.keys, plan.undo.args,
                      receipt.localMs + undoKeptMs};
    switch (plan.undo.kind) {
    case UndoWay::Kind::None:
        receipt.undoNote = plan.undo.why;
        return std::nullopt;
    case UndoWay::Kind::Restore:
        record.script = QByteArrayLiteral("undo-restore");
        record.keys = plan.keys;
        record.args.clear();
        if (!restoreArgs(receipt, record.args)) {
            receipt.undoNote = Text::tr("it was too large to be kept");
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
    receipt.undoable = true;
    receipt.undoNote = Text::tr("for a day, as long as nothing else has touched it");
    return record;
}

UndoStore::UndoStore(QString folder)
    : m_folder(std::move(folder))
{}

QString UndoStore::pathFor(const QByteArray& receipt) const
{
    return m_folder + QLatin1Char('/') + QString::fromLatin1(receipt) + QStringLiteral(".json");
}

QString UndoStore::claimedPathFor(const QByteArray& receipt) const
{
    return pathFor(receipt) + QStringLiteral(".taken");
}

Result<void> UndoStore::save(const UndoRecord& record)
{
    if (!isReceiptName(record.receipt))
        return failure(ErrorCode::BadArgument, displayName(record.receipt));
    if (!QDir().mkpath(m_folder))
        return failure(ErrorCode::FileError, Text::tr("%1 cannot be made").arg(m_folder));
    QFile::setPermissions(m_folder, ownerOnly | QFile::ExeOwner);
    const QJsonObject json{{QStringLiteral("receipt"), QString::fromLatin1(record.receipt)},
                           {QStringLiteral("action"), QString::fromLatin1(record.action)},
                           {QStringLiteral("kind"), int(record.kind)},
                           {QStringLiteral("name"), coded(record.name)},
                           {QStringLiteral("journal_name"), coded(record.journalName)},
                           {QStringLiteral("endpoint"), record.endpoint},
                           {QStringLiteral("script"), QString::fromLatin1(record.script)},
                           {QStringLiteral("keys"), codedAll(record.keys)},
                           {QStringLiteral("args"), codedAll(record.args)},
                           {QStringLiteral("expires_ms"), double(record.expiresMs)}};
    // The file is made private before anything is in it.
    QSaveFile file(pathFor(record.receipt));
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(ownerOnly)
        || file.write(QJsonDocument(json).toJson(QJsonDocument::Compact)) < 0 || !file.commit())
        return failure(ErrorCode::FileError,
                       QStringLiteral("%1: %2").arg(file.fileName(), file.errorString()));
    return {};
}

Result<UndoRecord> UndoStore::load(const QByteArray& receipt, qint64 nowMs) const
{
    const auto none = [&] {
        return failure(ErrorCode::NotFound,
                       Text::tr("Nothing is kept to undo %1: it cannot be undone, was undone, or "
                                "more than a day has passed")
                           .arg(displayName(receipt)));
    };
    if (!isReceiptName(receipt))
        return none();
    QFile file(pathFor(receipt));
    if (!file.open(QIODevice::ReadOnly))
        return none();
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    UndoRecord record;
    record.receipt = receipt;
    record.action = json[QLatin1String("action")].toString().toLatin1();
    record.kind = Kind(std::clamp(json[QLatin1String("kind")].toInt(), 0, int(Kind::Pattern)));
    record.name = decoded(json[QLatin1String("name")]);
    record.journalName = decoded(json[QLatin1String("journal_name")]);
    record.endpoint = json[QLatin1String("endpoint")].toString();
    record.script = json[QLatin1String("script")].toString().toLatin1();
    record.keys = decodedAll(json[QLatin1String("keys")]);
    record.args = decodedAll(json[QLatin1String("args")]);
    record.expiresMs = qint64(json[QLatin1String("expires_ms")].toDouble());
    if (record.script.isEmpty() || record.keys.empty() || record.expiresMs <= nowMs)
        return none();
    return record;
}

// Renaming is what one program of several succeeds in.
bool UndoStore::claim(const QByteArray& receipt)
{
    return isReceiptName(receipt)
           && ::rename(QFile::encodeName(pathFor(receipt)).constData(),
                       QFile::encodeName(claimedPathFor(receipt)).constData())
                  == 0;
}

void UndoStore::giveBack(const QByteArray& receipt)
{
    if (isReceiptName(receipt))
        QFile::rename(claimedPathFor(receipt), pathFor(receipt));
}

void UndoStore::remove(const QByteArray& receipt)
{
    if (!isReceiptName(receipt))
        return;
    QFile::remove(pathFor(receipt));
    QFile::remove(claimedPathFor(receipt));
}

void UndoStore::removeExpired(qint64 nowMs)
{
    const QDir folder(m_folder);
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("r*.json*")}, QDir::Files)) {
        if (file.lastModified().toMSecsSinceEpoch() + undoKeptMs < nowMs)
            QFile::remove(file.filePath());
    }
}

} // namespace lk
