// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace lk {

/// Where undo records stand, each under a name. Renaming is what one of several succeeds in.
class UndoStorage
{
public:
    virtual ~UndoStorage() = default;
    /// Instead of what stood there. Errors: FileError.
    virtual Result<void> put(const QByteArray& name, const QByteArray& bytes) = 0;
    virtual std::optional<QByteArray> get(const QByteArray& name) const = 0;
    /// False if there is none of that name (any more).
    virtual bool rename(const QByteArray& name, const QByteArray& to) = 0;
    virtual void remove(const QByteArray& name) = 0;
    /// When it was last put or renamed, local milliseconds; nothing if there is none.
    virtual std::optional<qint64> changedMs(const QByteArray& name) const = 0;
    virtual void removeOlderThan(qint64 localMs) = 0;
};

/// Forgets with the program.
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

/// A folder of the user's own with one encrypted file each (XSalsa20 and Poly1305, by libsodium):
/// without the key neither read nor changed unseen. Several programs may use it. Blocks.
class FolderUndoStorage final : public UndoStorage
{
public:
    static constexpr qsizetype keyBytes = 32;
    static QByteArray newKey();

    /// Each key has keyBytes. The others only decrypt.
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
