// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undorecord.h"
#include "backend/core/result.h"

#include <memory>
#include <vector>

namespace lk {

/// Stores the undo records, apart from the journal because they contain the keys' values. With an
/// encryption key the records are in a folder, encrypted; without one in memory only, or not kept.
/// A handle: copies share the records. Thread-safe; blocks for the disk, so not for the GUI thread.
class UndoStore
{
public:
    /// Where records go while there is no key to encrypt them with.
    enum class WithoutKey : quint8 {
        Memory,  ///< kept until the program ends
        Nothing, ///< for a program that ends after one step: save() fails
    };
    UndoStore(QString folder, WithoutKey without = WithoutKey::Memory);

    /// Keeps records in the folder from now on. Each key has FolderUndoStorage::keyBytes bytes. The
    /// others are only used to decrypt.
    void setKey(const QByteArray& key, UndoLasts lasts = UndoLasts::ADay,
                const std::vector<QByteArray>& others = {});
    /// Returns how long newly saved records are kept.
    UndoLasts lasts() const;
    /// Returns why new records would not be kept, without full stop; translated. Empty if they are.
    QString whyNothing() const;

    /// Errors: FileError, NotPossible if nothing can be kept.
    Result<void> save(const UndoRecord& record);
    /// serverMs: 0 if not known; expiry is then checked later. Errors: NotFound if there is no
    /// record (any more), or none that can be decrypted.
    Result<UndoRecord> load(const QByteArray& receipt, qint64 serverMs) const;

    /// The result of claim().
    enum class Claim : quint8 {
        Taken,    ///< the caller has it; follow with remove(), giveBack() or doubt()
        Doubtful, ///< an earlier run ended without an answer; see claimDoubtful()
        Gone,     ///< another caller has it, it was undone, or there is none
    };
    /// Takes the record, so that a step is undone only once, however many callers ask.
    Claim claim(const QByteArray& receipt);
    /// Takes a doubtful record. The caller has checked that the earlier run did nothing. False if
    /// another caller was faster.
    bool claimDoubtful(const QByteArray& receipt);
    void giveBack(const QByteArray& receipt); ///< the run did nothing
    void doubt(const QByteArray& receipt);    ///< the run's outcome is unknown
    void remove(const QByteArray& receipt);   ///< claimed or not
    void removeExpired(qint64 localMs);

private:
    struct Shared;
    std::shared_ptr<Shared> m_shared;
};

} // namespace lk
