// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/libraries/api/plan.h"

#include <QString>

#include <utility>

namespace lk {

/// How one step is taken back: a script call, ready but for the first argument.
struct UndoRecord
{
    QByteArray receipt;
    QByteArray action; ///< of the step
    Kind kind = Kind::Lock;
    QByteArray name;
    QByteArray journalName; ///< as in the journal: without a code that is to be kept secret
    QString endpoint;       ///< the server it belongs to
    QByteArray script;
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args;
    qint64 expiresMs = 0; ///< by the server's clock
    /// Each key and its fingerprint after the step; empty if one of them is not known.
    std::vector<std::pair<QByteArray, QByteArray>> after = {};
    QString node = {}; ///< that it was run on; empty where that is the endpoint
};

/// The call that takes the step back, out of its plan and receipt. Nothing if it cannot be: the
/// receipt's note says why.
std::optional<UndoRecord> undoFor(const Plan& plan, Receipt& receipt, const QString& endpoint);

/// As it is kept: JSON, bytes in Base64.
QByteArray bytesOf(const UndoRecord& record);
/// Nothing if they are not of a whole record.
std::optional<UndoRecord> undoRecordFrom(const QByteArray& bytes);

} // namespace lk
