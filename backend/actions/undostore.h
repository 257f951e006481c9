// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/plan.h"
#include "backend/actions/receipt.h"
#include "backend/core/result.h"

#include <QString>

namespace lk {

/// How one step is taken back: a script call, ready but for the limit.
struct UndoRecord
{
    QByteArray receipt;
    QByteArray action;     ///< of the step
    Kind kind = Kind::Lock;
    QByteArray name;
    QByteArray journalName; ///< as in the journal: without a code that is to be kept secret
    QString endpoint;      ///< the server it belongs to
    QByteArray script;
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args;
    qint64 expiresMs = 0;  ///< local time
};

/// The call that takes the step back, out of its plan and receipt. Nothing if it cannot be: the
/// receipt's note says why.
std::optional<UndoRecord> undoFor(const Plan& plan, Receipt& receipt, const QString& endpoint);

/// A folder with one file a step, private to the user, apart from the journal because it holds what
/// the keys held. Files past their time are removed. Blocks for the disk: not for the GUI thread.
class UndoStore
{
public:
    explicit UndoStore(QString folder);

    Result<void> save(const UndoRecord& record);
    /// Errors: NotFound if there is none (any more), FileError.
    Result<UndoRecord> load(const QByteArray& receipt, qint64 nowMs) const;
    /// Takes the record out, so that a step is taken back once, whoever asks and however often:
    /// false if it is not there (any more). giveBack() where nothing came of it.
    bool claim(const QByteArray& receipt);
    void giveBack(const QByteArray& receipt);
    void remove(const QByteArray& receipt); ///< claimed or not
    void removeExpired(qint64 nowMs);

private:
    QString pathFor(const QByteArray& receipt) const;
    QString claimedPathFor(const QByteArray& receipt) const;

    QString m_folder;
};

} // namespace lk
