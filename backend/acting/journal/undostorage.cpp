// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/undostorage.h"

#include "backend/platform/files.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <cerrno>
#include <sodium.h>

namespace lk {

namespace {

static_assert(FolderUndoStorage::keyBytes == crypto_secretbox_KEYBYTES);

const QByteArray magic = QByteArrayLiteral("LKU1");
constexpr qsizetype nonceBytes = crypto_secretbox_NONCEBYTES;
constexpr qsizetype macBytes = crypto_secretbox_MACBYTES;

unsigned char* raw(QByteArray& bytes)
{
    return reinterpret_cast<unsigned char*>(bytes.data());
}

const unsigned char* raw(const QByteArray& bytes)
{
    return reinterpret_cast<const unsigned char*>(bytes.constData());
}

// "LKU1", the nonce, and what crypto_secretbox makes of it.
QByteArray sealed(const QByteArray& text, const QByteArray& key)
{
    QByteArray nonce(nonceBytes, '\0');
    ::randombytes_buf(nonce.data(), size_t(nonceBytes));
    QByteArray box(text.size() + macBytes, '\0');
    ::crypto_secretbox_easy(raw(box), raw(text), static_cast<unsigned long long>(text.size()),
                            raw(std::as_const(nonce)), raw(key));
    return magic + nonce + box;
}

std::optional<QByteArray> opened(const QByteArray& file, const QByteArray& key)
{
    const qsizetype head = magic.size() + nonceBytes;
    if (!file.startsWith(magic) || file.size() < head + macBytes)
        return std::nullopt;
    const QByteArray nonce = file.mid(magic.size(), nonceBytes);
    const QByteArray box = file.mid(head);
    QByteArray text(box.size() - macBytes, '\0');
    if (::crypto_secretbox_open_easy(raw(text), raw(box),
                                     static_cast<unsigned long long>(box.size()), raw(nonce),
                                     raw(key)) != 0)
        return std::nullopt;
    return text;
}

} // namespace

Result<void> MemoryUndoStorage::put(const QByteArray& name, const QByteArray& bytes)
{
    m_entries[name] = {bytes, QDateTime::currentMSecsSinceEpoch()};
    return {};
}

std::optional<QByteArray> MemoryUndoStorage::get(const QByteArray& name) const
{
    const auto it = m_entries.find(name);
    return it == m_entries.end() ? std::nullopt : std::optional(it->second.bytes);
}

bool MemoryUndoStorage::rename(const QByteArray& name, const QByteArray& to)
{
    auto node = m_entries.extract(name);
    if (!node)
        return false;
    m_entries[to] = {node.mapped().bytes, QDateTime::currentMSecsSinceEpoch()};
    return true;
}

void MemoryUndoStorage::remove(const QByteArray& name)
{
    m_entries.erase(name);
}

std::optional<qint64> MemoryUndoStorage::changedMs(const QByteArray& name) const
{
    const auto it = m_entries.find(name);
    return it == m_entries.end() ? std::nullopt : std::optional(it->second.changedMs);
}

void MemoryUndoStorage::removeOlderThan(qint64 localMs)
{
    std::erase_if(m_entries, [&](const auto& entry) { return entry.second.changedMs < localMs; });
}

QByteArray FolderUndoStorage::newKey()
{
    if (::sodium_init() < 0)
        qFatal("libsodium finds no source of randomness");
    QByteArray key(keyBytes, '\0');
    ::crypto_secretbox_keygen(raw(key));
    return key;
}

FolderUndoStorage::FolderUndoStorage(QString folder, QByteArray key, std::vector<QByteArray> others)
    : m_folder(std::move(folder))
    , m_keys(std::move(others))
{
    m_keys.insert(m_keys.begin(), std::move(key));
    const bool sound = std::all_of(m_keys.begin(), m_keys.end(),
                                   [](const QByteArray& k) { return k.size() == keyBytes; });
    if (!sound || ::sodium_init() < 0)
        qFatal("not a key for undo records");
}

QString FolderUndoStorage::pathFor(const QByteArray& name) const
{
    return m_folder + QLatin1Char('/') + QString::fromLatin1(name);
}

Result<void> FolderUndoStorage::put(const QByteArray& name, const QByteArray& bytes)
{
    if (const Result<void> made = makePrivateFolder(m_folder); !made)
        return made;
    QSaveFile file(pathFor(name));
    errno = 0;
    if (file.open(QIODevice::WriteOnly) &&
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
        file.write(sealed(bytes, m_keys.front())) >= 0 && file.commit())
        return {};
    return failure(ErrorCode::FileError,
                   QStringLiteral("%1: %2").arg(file.fileName(), errno != 0 ? fileProblem(errno)
                                                                            : file.errorString()));
}

std::optional<QByteArray> FolderUndoStorage::get(const QByteArray& name) const
{
    QFile file(pathFor(name));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray bytes = file.readAll();
    for (const QByteArray& key : m_keys) {
        if (std::optional<QByteArray> text = opened(bytes, key))
            return text;
    }
    return std::nullopt;
}

bool FolderUndoStorage::rename(const QByteArray& name, const QByteArray& to)
{
    markChanged(pathFor(name)); // from now on, for changedMs()
    return replaceFile(pathFor(name), pathFor(to)) == 0;
}

void FolderUndoStorage::remove(const QByteArray& name)
{
    QFile::remove(pathFor(name));
}

std::optional<qint64> FolderUndoStorage::changedMs(const QByteArray& name) const
{
    const QFileInfo file(pathFor(name));
    return file.exists() ? std::optional(file.lastModified().toMSecsSinceEpoch()) : std::nullopt;
}

void FolderUndoStorage::removeOlderThan(qint64 localMs)
{
    const QDir folder(m_folder);
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("r*.undo*")}, QDir::Files)) {
        if (file.lastModified().toMSecsSinceEpoch() < localMs)
            QFile::remove(file.filePath());
    }
}

} // namespace lk
