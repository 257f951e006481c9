// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/undostore.h"

#include "backend/acting/journal/undostorage.h"
#include "backend/core/names/keyname.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QMutex>

#include <algorithm>
#include <vector>

namespace lk {

namespace {

struct UndoStoreText
{
    Q_DECLARE_TR_FUNCTIONS(lk::UndoStore)
};

// A claim that is older than any run takes was left by a program that ended (milliseconds).
constexpr qint64 abandonedMs = 60'000;
// Files are kept longer than records are valid, since clocks differ.
constexpr qint64 removedAfterMs = 2 * undoKeptMs;

QByteArray nameOf(const QByteArray& receipt)
{
    return receipt + ".undo";
}

QByteArray claimedName(const QByteArray& receipt)
{
    return receipt + ".undo.taken";
}

QByteArray doubtfulName(const QByteArray& receipt)
{
    return receipt + ".undo.doubt";
}

bool isReceiptName(const QByteArray& id)
{
    return id.size() > 1 && id.size() < 40 && std::all_of(id.begin(), id.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
           });
}

bool isAbandoned(const UndoStorage& storage, const QByteArray& receipt)
{
    const std::optional<qint64> since = storage.changedMs(claimedName(receipt));
    return since && QDateTime::currentMSecsSinceEpoch() - *since > abandonedMs;
}

} // namespace

struct UndoStore::Shared
{
    QString folder;
    WithoutKey without = WithoutKey::Memory;
    mutable QMutex mutex;
    MemoryUndoStorage memory;
    std::unique_ptr<FolderUndoStorage> files; ///< null without a key
    UndoLasts lasts = UndoLasts::Program;

    QString whyNothing() const
    {
        return files || without == WithoutKey::Memory
                   ? QString()
                   : UndoStoreText::tr(
                         "what undo needs is encrypted with a key, and neither a desktop's keyring "
                         "nor the kernel keeps one here; --undo-key FILE does");
    }

    /// The storages, the one for new records first. A record from before setKey() is still in
    /// memory.
    std::vector<UndoStorage*> storages()
    {
        std::vector<UndoStorage*> all{&memory};
        if (files)
            all.insert(all.begin(), files.get());
        return all;
    }
    bool rename(const QByteArray& name, const QByteArray& to)
    {
        const auto all = storages();
        return std::any_of(all.begin(), all.end(),
                           [&](UndoStorage* storage) { return storage->rename(name, to); });
    }
};

UndoStore::UndoStore(QString folder, WithoutKey without)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->folder = std::move(folder);
    m_shared->without = without;
}

void UndoStore::setKey(const QByteArray& key, UndoLasts lasts,
                       const std::vector<QByteArray>& others)
{
    const QMutexLocker lock(&m_shared->mutex);
    m_shared->lasts = lasts;
    m_shared->files = std::make_unique<FolderUndoStorage>(m_shared->folder, key, others);
}

UndoLasts UndoStore::lasts() const
{
    const QMutexLocker lock(&m_shared->mutex);
    return m_shared->lasts;
}

QString UndoStore::whyNothing() const
{
    const QMutexLocker lock(&m_shared->mutex);
    return m_shared->whyNothing();
}

Result<void> UndoStore::save(const UndoRecord& record)
{
    if (!isReceiptName(record.receipt))
        return failure(ErrorCode::BadArgument, displayName(record.receipt));
    const QMutexLocker lock(&m_shared->mutex);
    if (const QString why = m_shared->whyNothing(); !why.isEmpty())
        return failure(ErrorCode::NotPossible, why);
    return m_shared->storages().front()->put(nameOf(record.receipt), bytesOf(record));
}

Result<UndoRecord> UndoStore::load(const QByteArray& receipt, qint64 serverMs) const
{
    const auto none = [&] {
        return failure(
            ErrorCode::NotFound,
            UndoStoreText::tr("%1 cannot be undone: it is not undoable, was undone already, or "
                              "is more than a day old")
                .arg(displayName(receipt)));
    };
    if (!isReceiptName(receipt))
        return none();
    const QMutexLocker lock(&m_shared->mutex);
    for (const UndoStorage* storage : m_shared->storages()) {
        std::vector<QByteArray> names{nameOf(receipt), doubtfulName(receipt)};
        if (isAbandoned(*storage, receipt))
            names.push_back(claimedName(receipt));
        for (const QByteArray& name : names) {
            const std::optional<QByteArray> bytes = storage->get(name);
            const auto record = bytes ? undoRecordFrom(*bytes) : std::nullopt;
            if (!record || record->receipt != receipt)
                continue;
            if (record->expiresMs <= serverMs)
                return none();
            return *record;
        }
    }
    if (!m_shared->files)
        return failure(
            ErrorCode::NotFound,
            UndoStoreText::tr("%1 cannot be undone here: without a key, undo data of other "
                              "programs cannot be decrypted. Write mode asks the keyring for it; "
                              "--undo-key FILE gives it")
                .arg(displayName(receipt)));
    return none();
}

UndoStore::Claim UndoStore::claim(const QByteArray& receipt)
{
    if (!isReceiptName(receipt))
        return Claim::Gone;
    const QMutexLocker lock(&m_shared->mutex);
    if (m_shared->rename(nameOf(receipt), claimedName(receipt)))
        return Claim::Taken;
    for (UndoStorage* storage : m_shared->storages()) {
        if (storage->changedMs(doubtfulName(receipt)))
            return Claim::Doubtful;
        if (isAbandoned(*storage, receipt) &&
            storage->rename(claimedName(receipt), doubtfulName(receipt)))
            return Claim::Doubtful;
    }
    return Claim::Gone;
}

bool UndoStore::claimDoubtful(const QByteArray& receipt)
{
    const QMutexLocker lock(&m_shared->mutex);
    return isReceiptName(receipt) && m_shared->rename(doubtfulName(receipt), claimedName(receipt));
}

void UndoStore::giveBack(const QByteArray& receipt)
{
    const QMutexLocker lock(&m_shared->mutex);
    if (isReceiptName(receipt))
        m_shared->rename(claimedName(receipt), nameOf(receipt));
}

void UndoStore::doubt(const QByteArray& receipt)
{
    const QMutexLocker lock(&m_shared->mutex);
    if (isReceiptName(receipt))
        m_shared->rename(claimedName(receipt), doubtfulName(receipt));
}

void UndoStore::remove(const QByteArray& receipt)
{
    if (!isReceiptName(receipt))
        return;
    const QMutexLocker lock(&m_shared->mutex);
    for (UndoStorage* storage : m_shared->storages()) {
        for (const QByteArray& name :
             {nameOf(receipt), claimedName(receipt), doubtfulName(receipt)})
            storage->remove(name);
    }
}

void UndoStore::removeExpired(qint64 localMs)
{
    const QMutexLocker lock(&m_shared->mutex);
    for (UndoStorage* storage : m_shared->storages())
        storage->removeOlderThan(localMs - removedAfterMs);
    // Versions before this one kept them in plain text.
    const QDir folder(m_shared->folder);
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("r*.json*")}, QDir::Files))
        QFile::remove(file.filePath());
}

} // namespace lk
