// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undorecord.h"
#include "backend/core/result.h"

#include <memory>
#include <vector>

namespace lk {

/// What undo needs, apart from the journal because it holds what the keys held. With a key it is
/// kept in a folder, encrypted; without one in memory only, or not at all. A handle: copies share
/// what is kept. For any thread; blocks for the disk, so not for the GUI thread.
class UndoStore
{
public:
    /// Where records go while there is no key to encrypt them with.
    enum class WithoutKey : quint8 {
        Memory,  ///< kept until the program ends
        Nothing, ///< for a program that ends after one step: nothing is kept, which save() says
    };
    UndoStore(QString folder, WithoutKey without = WithoutKey::Memory);

    /// Keeps records in the folder from now on. Each key has FolderUndoStorage::keyBytes. The
    /// others only decrypt.
    void setKey(const QByteArray& key, UndoLasts lasts = UndoLasts::ADay,
                const std::vector<QByteArray>& others = {});
    /// How long what is saved now is kept.
    UndoLasts lasts() const;
    /// Why nothing that is saved now would be kept, without full stop; translated. Empty: it is.
    QString whyNothing() const;

    /// Errors: FileError, NotPossible if nothing can be kept.
    Result<void> save(const UndoRecord& record);
    /// serverMs: 0 if it is not known; whether it is too late is seen later then. Errors: NotFound
    /// if there is none (any more), or none that can be decrypted.
    Result<UndoRecord> load(const QByteArray& receipt, qint64 serverMs) const;

    /// What became of claim().
    enum class Claim : quint8 {
        Taken,    ///< it is the caller's: followed by remove(), giveBack() or doubt()
        Doubtful, ///< a run of it ended without an answer; it can be had by claimDoubtful()
        Gone,     ///< another one has it, it was undone, or there is none
    };
    /// Takes the record out, so that a step is taken back once, whoever asks and however often.
    Claim claim(const QByteArray& receipt);
    /// For who has checked and knows that the run before did nothing. False: another one was
    /// faster.
    bool claimDoubtful(const QByteArray& receipt);
    void giveBack(const QByteArray& receipt); ///< nothing came of it
    void doubt(const QByteArray& receipt);    ///< nobody knows what came of it
    void remove(const QByteArray& receipt);   ///< claimed or not
    void removeExpired(qint64 localMs);

private:
    struct Shared;
    std::shared_ptr<Shared> m_shared;
};

} // namespace lk
