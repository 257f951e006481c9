// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/libraries/api/plan.h"

#include <QString>

#include <utility>

namespace lk {

/// How one step is undone: a script call, complete but for the first argument.
struct UndoRecord
{
    QByteArray receipt;
    QByteArray action; ///< the step's action id
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
    QString node = {}; ///< the node that it was run on; empty if that is the endpoint
};

/// Returns the call that undoes the step, from its plan and receipt. Nothing if it cannot be
/// undone; the receipt's undoNote then contains the reason.
std::optional<UndoRecord> undoFor(const Plan& plan, Receipt& receipt, const QString& endpoint);

/// Returns the stored form: JSON, with bytes in Base64.
QByteArray bytesOf(const UndoRecord& record);
/// Parses the stored form. Nothing if it is not a complete record.
std::optional<UndoRecord> undoRecordFrom(const QByteArray& bytes);

} // namespace lk
