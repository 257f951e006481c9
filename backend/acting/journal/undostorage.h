// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace lk {

/// A storage of undo records, each under a name. If several callers rename a record, one succeeds.
class UndoStorage
{
public:
    virtual ~UndoStorage() = default;
    /// Stores bytes and replaces an earlier record. Errors: FileError.
    virtual Result<void> put(const QByteArray& name, const QByteArray& bytes) = 0;
    virtual std::optional<QByteArray> get(const QByteArray& name) const = 0;
    /// False if there is no record of that name (any more).
    virtual bool rename(const QByteArray& name, const QByteArray& to) = 0;
    virtual void remove(const QByteArray& name) = 0;
    /// Returns when the record was last put or renamed, in local milliseconds; nothing if there is
    /// none.
    virtual std::optional<qint64> changedMs(const QByteArray& name) const = 0;
    virtual void removeOlderThan(qint64 localMs) = 0;
};

/// Keeps records until the program ends.
class MemoryUndoStorage final : public UndoStorage
{
public:
    Result<void> put(const QByteArray& name, const QByteArray& bytes) override;
    std::optional<QByteArray> get(const QByteArray& name) const override;
    bool rename(const QByteArray& name, const QByteArray& to) override;
    void remove(const QByteArray& name) override;
    std::optional<qint64> changedMs(const QByteArray& name) const override;
    void removeOlderThan(qint64 localMs) override;

private:
    struct Entry
    {
        QByteArray bytes;
        qint64 changedMs = 0;
    };
    std::map<QByteArray, Entry> m_entries;
};

/// A private folder with one encrypted file per record (XSalsa20 and Poly1305, by libsodium).
/// Without the key, files cannot be read, nor changed without notice. Several programs may use it.
/// Blocks for the disk.
class FolderUndoStorage final : public UndoStorage
{
public:
    static constexpr qsizetype keyBytes = 32;
    static QByteArray newKey();

    /// Each key has keyBytes bytes. The others are only used to decrypt.
    FolderUndoStorage(QString folder, QByteArray key, std::vector<QByteArray> others = {});

    Result<void> put(const QByteArray& name, const QByteArray& bytes) override;
    std::optional<QByteArray> get(const QByteArray& name) const override;
    bool rename(const QByteArray& name, const QByteArray& to) override;
    void remove(const QByteArray& name) override;
    std::optional<qint64> changedMs(const QByteArray& name) const override;
    void removeOlderThan(qint64 localMs) override;

private:
    QString pathFor(const QByteArray& name) const;

    QString m_folder;
    std::vector<QByteArray> m_keys; ///< the first encrypts
};

} // namespace lk
