// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QMetaType>

#include <optional>
#include <vector>

namespace lk {

/// The outcome of an action that was sent. Only Unknown leaves open whether it has run.
enum class Outcome : quint8 {
    Succeeded,
    Conflict, ///< the data was no longer as seen; nothing was written
    Refused,  ///< the server or the script refused; nothing was written
    Unknown,  ///< the connection was lost after sending: it has run once or not at all
};
QByteArray outcomeId(Outcome outcome); ///< "done": in the journal
QString outcomeTitle(Outcome outcome); ///< "Succeeded"; translated
std::optional<Outcome> outcomeFromId(const QByteArray& id);

/// A key before and after. See fingerprintOfDump().
struct KeyChange
{
    QByteArray key;
    QByteArray type;                ///< before; "none": it was not there
    qint64 bytes = 0;               ///< before, in the server's memory
    std::optional<QByteArray> dump; ///< before; empty: too large or not there. Never in the journal
    qint64 expiryMs = -2;           ///< before: a moment; -1 it did not expire, -2 it was not there
    std::optional<QByteArray> fingerprintAfter; ///< "": not there; empty: too large
    qint64 expiryAfterMs = -2;

    bool existed() const { return expiryMs != -2; }
};

/// The result of running a plan.
struct Receipt
{
    QByteArray id;     ///< names it in the journal and for undo: "r" and 12 hex digits
    QByteArray group;  ///< the run of several steps: "g" and 12 hex digits; empty if run alone
    QByteArray undoes; ///< the receipt of the step that this one undid; empty if it is no undo
    QByteArray action;
    Kind kind = Kind::Lock;
    QByteArray name; ///< the primitive's name
    Outcome outcome = Outcome::Refused;
    QString text;            ///< one sentence for the user; translated. May quote the key's value
    QString journalText;     ///< the same without the key's value
    qint64 count = 0;        ///< things that changed
    std::vector<bool> items; ///< with several items: which were changed
    std::vector<KeyChange> changes; ///< only of a step that was done
    qint64 serverMs = 0;            ///< the server's time of the step; 0: unknown
    qint64 localMs = 0;
    bool undoable = false;
    QString undoNote;    ///< why it cannot be undone, or until when it can; translated
    QByteArray revealed; ///< a token's code, to be shown once; never kept
};

} // namespace lk

Q_DECLARE_METATYPE(lk::Receipt)
