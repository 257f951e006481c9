// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/journal.h"

#include "backend/core/names/foreigntext.h"
#include "backend/core/names/keyname.h"
#include "backend/platform/files.h"
#include "backend/platform/process.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QSysInfo>

#include <algorithm>

namespace lk {

namespace {

struct JournalText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Journal)
};

constexpr int keptFiles = 10;
constexpr int lockPatienceMs = 5000;

tl::unexpected<Error> fileFailure(const QString& problem)
{
    return failure(ErrorCode::FileError,
                   JournalText::tr("The journal cannot be written: %1").arg(problem));
}

tl::unexpected<Error> fileFailure(const QString& path, const QString& why)
{
    return fileFailure(QStringLiteral("%1: %2").arg(path, why));
}

QString isoOf(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toUTC().toString(Qt::ISODateWithMs);
}

QJsonValue expiryOf(qint64 ms)
{
    return ms >= 0 ? QJsonValue(double(ms)) : QJsonValue(QJsonValue::Null);
}

QJsonArray beforeOf(const Receipt& receipt, const QStringList& keys)
{
    QJsonArray all;
    for (qsizetype i = 0; i < qsizetype(receipt.changes.size()); ++i) {
        const KeyChange& c = receipt.changes[size_t(i)];
        QJsonObject one{{QStringLiteral("key"), keys.value(i)},
                        {QStringLiteral("type"), displayName(c.type)},
                        {QStringLiteral("bytes"), double(c.bytes)},
                        {QStringLiteral("expires_ms"), expiryOf(c.expiryMs)}};
        if (c.dump)
            one.insert(QStringLiteral("sha1"),
                       QString::fromLatin1(
                           QCryptographicHash::hash(*c.dump, QCryptographicHash::Sha1).toHex()));
        all.append(one);
    }
    return all;
}

QJsonArray afterOf(const Receipt& receipt, const QStringList& keys)
{
    QJsonArray all;
    for (qsizetype i = 0; i < qsizetype(receipt.changes.size()); ++i) {
        const KeyChange& c = receipt.changes[size_t(i)];
        QJsonObject one{{QStringLiteral("key"), keys.value(i)},
                        {QStringLiteral("exists"), c.expiryAfterMs != -2},
                        {QStringLiteral("expires_ms"), expiryOf(c.expiryAfterMs)}};
        if (c.fingerprintAfter && !c.fingerprintAfter->isEmpty())
            one.insert(QStringLiteral("sha1"), displayName(*c.fingerprintAfter));
        all.append(one);
    }
    return all;
}

// A token's name ends with its code, which may be valid again after an undo.
QString written(const Plan& plan, const QByteArray& key)
{
    return displayName(plan.redactedKey(key));
}

QStringList keysOf(const Plan& plan)
{
    QStringList keys;
    for (const QByteArray& key : plan.keys)
        keys << written(plan, key);
    return keys;
}

void addGroup(QJsonObject& line, const Plan& plan)
{
    if (!plan.group.isEmpty())
        line.insert(QStringLiteral("group"), QString::fromLatin1(plan.group));
}

// The file may have been written by anything.
QString textIn(const QJsonObject& line, const char* name)
{
    return foreignText(line[QLatin1String(name)].toString());
}

QJsonArray changesIn(const QJsonObject& line, const char* name)
{
    QJsonArray all;
    for (const QJsonValue& value : line[QLatin1String(name)].toArray()) {
        QJsonObject change = value.toObject();
        for (auto it = change.begin(); it != change.end(); ++it) {
            if (it->isString())
                *it = foreignText(it->toString());
        }
        all.append(change);
    }
    return all;
}

void readSent(const QJsonObject& line, JournalEntry& entry)
{
    entry.action = textIn(line, "action").toLatin1();
    entry.name = textIn(line, "name");
    for (const QJsonValue& key : line[QLatin1String("keys")].toArray())
        entry.keys << foreignText(key.toString());
    entry.endpoint = textIn(line, "endpoint");
    entry.node = textIn(line, "node");
    entry.who = textIn(line, "who");
    entry.host = textIn(line, "host");
    entry.aclUser = textIn(line, "acl_user");
    entry.reason = textIn(line, "reason");
    entry.guard = textIn(line, "guard");
    entry.localMs = qint64(line[QLatin1String("local_ms")].toDouble());
    entry.undoes = textIn(line, "undoes").toLatin1();
    entry.group = textIn(line, "group").toLatin1();
    entry.text = JournalText::tr("No outcome was recorded: it may or may not have run");
}

void readCame(const QJsonObject& line, JournalEntry& entry)
{
    entry.outcome = outcomeFromId(textIn(line, "outcome").toLatin1()).value_or(Outcome::Unknown);
    entry.text = textIn(line, "text");
    entry.count = qint64(line[QLatin1String("count")].toDouble());
    entry.serverMs = qint64(line[QLatin1String("server_ms")].toDouble());
    entry.before = changesIn(line, "before");
    entry.after = changesIn(line, "after");
    entry.undoable = line[QLatin1String("undoable")].toBool();
}

} // namespace

QString journalPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/journal.jsonl");
}

QString undoFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/undo");
}

AuditContext auditContextHere(QString endpoint, QString reason, QString aclUser)
{
    return {std::move(endpoint), std::move(reason), userName(), QSysInfo::machineHostName(),
            std::move(aclUser)};
}

QJsonObject JournalEntry::toJson() const
{
    const auto orNull = [](qint64 ms) {
        return ms > 0 ? QJsonValue(double(ms)) : QJsonValue(QJsonValue::Null);
    };
    QJsonObject json{{QStringLiteral("receipt"), QString::fromLatin1(receipt)},
                     {QStringLiteral("action"), QString::fromLatin1(action)},
                     {QStringLiteral("name"), name},
                     {QStringLiteral("keys"), QJsonArray::fromStringList(keys)},
                     {QStringLiteral("outcome"), QString::fromLatin1(outcomeId(outcome))},
                     {QStringLiteral("text"), text},
                     {QStringLiteral("count"), double(count)},
                     {QStringLiteral("when"), isoOf(serverMs > 0 ? serverMs : localMs)},
                     {QStringLiteral("local_ms"), orNull(localMs)},
                     {QStringLiteral("server_ms"), orNull(serverMs)},
                     {QStringLiteral("who"), who},
                     {QStringLiteral("host"), host},
                     {QStringLiteral("acl_user"), aclUser},
                     {QStringLiteral("endpoint"), endpoint},
                     {QStringLiteral("reason"), reason},
                     {QStringLiteral("guard"), guard},
                     {QStringLiteral("before"), before},
                     {QStringLiteral("after"), after},
                     {QStringLiteral("undoable"), undoable}};
    if (!node.isEmpty())
        json.insert(QStringLiteral("node"), node);
    if (!undoes.isEmpty())
        json.insert(QStringLiteral("undoes"), QString::fromLatin1(undoes));
    if (!group.isEmpty())
        json.insert(QStringLiteral("group"), QString::fromLatin1(group));
    return json;
}

Journal::Journal(QString path, qint64 rotateAtBytes)
    : m_path(std::move(path))
    , m_rotateAtBytes(rotateAtBytes)
{}

Result<void> Journal::logIntent(const Receipt& receipt, const Plan& plan,
                                const AuditContext& auditContext)
{
    QJsonObject line{{QStringLiteral("entry"), QStringLiteral("sending")},
                     {QStringLiteral("receipt"), QString::fromLatin1(receipt.id)},
                     {QStringLiteral("action"), QString::fromLatin1(plan.action)},
                     {QStringLiteral("name"), written(plan, plan.name)},
                     {QStringLiteral("keys"), QJsonArray::fromStringList(keysOf(plan))},
                     {QStringLiteral("guard"), plan.guard},
                     {QStringLiteral("reason"), auditContext.reason},
                     {QStringLiteral("who"), auditContext.who},
                     {QStringLiteral("host"), auditContext.host},
                     {QStringLiteral("acl_user"), auditContext.aclUser},
                     {QStringLiteral("endpoint"), auditContext.endpoint},
                     {QStringLiteral("when"), isoOf(receipt.localMs)},
                     {QStringLiteral("local_ms"), double(receipt.localMs)}};
    if (!auditContext.node.isEmpty())
        line.insert(QStringLiteral("node"), auditContext.node);
    if (!plan.undoes.isEmpty())
        line.insert(QStringLiteral("undoes"), QString::fromLatin1(plan.undoes));
    addGroup(line, plan);
    return append(line);
}

Result<void> Journal::logOutcome(const Receipt& receipt, const Plan& plan)
{
    const QStringList keys = keysOf(plan);
    QJsonObject line{{QStringLiteral("entry"), QStringLiteral("came")},
                     {QStringLiteral("receipt"), QString::fromLatin1(receipt.id)},
                     {QStringLiteral("outcome"), QString::fromLatin1(outcomeId(receipt.outcome))},
                     {QStringLiteral("text"),
                      receipt.journalText.isEmpty() ? receipt.text : receipt.journalText},
                     {QStringLiteral("count"), double(receipt.count)},
                     {QStringLiteral("server_ms"), double(receipt.serverMs)},
                     {QStringLiteral("before"), beforeOf(receipt, keys)},
                     {QStringLiteral("after"), afterOf(receipt, keys)},
                     {QStringLiteral("undoable"), receipt.undoable}};
    addGroup(line, plan);
    return append(line);
}

// Writes a whole line with one write() to a file opened for appending: other programs' lines are
// before or after it, never within. Ends a line that a crash left incomplete first, so that it does
// not spoil this one.
Result<void> Journal::append(const QJsonObject& line)
{
    const QString folder = QFileInfo(m_path).path();
    if (const Result<void> made = makePrivateFolder(folder); !made)
        return fileFailure(made.error().detail);
    FileLock lock(m_path + QStringLiteral(".lock"));
    const FileLock::Outcome locked = lock.lock(lockPatienceMs);
    if (locked == FileLock::Outcome::Busy)
        return fileFailure(m_path, JournalText::tr("another program keeps it locked"));
    if (locked == FileLock::Outcome::Inaccessible)
        return fileFailure(m_path, fileProblem(lock.error()));
    if (const Result<void> rotated = rotate(); !rotated)
        return rotated;
    const QByteArray bytes = QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
    if (const int problem = appendLines(m_path, bytes); problem != 0)
        return fileFailure(m_path, fileProblem(problem));
    return {};
}

Result<void> Journal::rotate()
{
    if (QFileInfo(m_path).size() < m_rotateAtBytes)
        return {};
    const auto name = [this](int n) { return m_path + QLatin1Char('.') + QString::number(n); };
    QFile::remove(name(keptFiles));
    for (int n = keptFiles - 1; n >= 1; --n) {
        if (QFile::exists(name(n)))
            QFile::rename(name(n), name(n + 1));
    }
    if (const int problem = replaceFile(m_path, name(1)); problem != 0)
        return fileFailure(m_path, fileProblem(problem));
    return {};
}

// Opens all files together, the oldest first: a later rotation by another program does not change
// what is read. If the folder is read-only, opens them without the lock: no program writes there.
Result<std::vector<std::unique_ptr<QFile>>> Journal::open() const
{
    FileLock lock(m_path + QStringLiteral(".lock"));
    if (lock.lock(lockPatienceMs) == FileLock::Outcome::Busy)
        return failure(ErrorCode::FileError,
                       JournalText::tr("The journal cannot be read: %1: %2")
                           .arg(m_path, JournalText::tr("another program keeps it locked")));
    std::vector<std::unique_ptr<QFile>> files;
    for (int n = keptFiles; n >= 0; --n) {
        const QString path = n == 0 ? m_path : m_path + QLatin1Char('.') + QString::number(n);
        auto file = std::make_unique<QFile>(path);
        if (!file->exists())
            continue;
        if (!file->open(QIODevice::ReadOnly))
            return failure(ErrorCode::FileError,
                           JournalText::tr("The journal cannot be read: %1: %2")
                               .arg(path, fileProblem(errno)));
        files.push_back(std::move(file));
    }
    return files;
}

Result<Journal::Contents> Journal::read(qint64 most) const
{
    Result<std::vector<std::unique_ptr<QFile>>> files = open();
    if (!files)
        return tl::unexpected(files.error());
    Contents contents;
    QHash<QByteArray, size_t> places;
    for (const std::unique_ptr<QFile>& file : *files) {
        while (!file->atEnd()) {
            const QByteArray bytes = file->readLine();
            const QJsonObject line = QJsonDocument::fromJson(bytes).object();
            const QByteArray id = textIn(line, "receipt").toLatin1();
            const QString what = line[QLatin1String("entry")].toString();
            const auto place = places.constFind(id);
            if (bytes.trimmed().isEmpty())
                continue;
            if (!id.isEmpty() && what == QLatin1String("sending") && place == places.cend()) {
                places.insert(id, contents.entries.size());
                JournalEntry& entry = contents.entries.emplace_back();
                entry.receipt = id;
                readSent(line, entry);
            } else if (what == QLatin1String("came") && place != places.cend()) {
                readCame(line, contents.entries[*place]);
            } else {
                ++contents.broken;
            }
        }
    }
    const auto count = qint64(contents.entries.size());
    if (count > most)
        contents.entries.erase(contents.entries.begin(), contents.entries.begin() + (count - most));
    return contents;
}

} // namespace lk
