// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"

#include <QByteArray>
#include <QStringList>

#include <optional>
#include <vector>

namespace lk {

/// How long what undo needs is kept at most.
enum class UndoLasts : quint8 {
    Program,     ///< until the program ends: it is in memory
    UntilLogout, ///< until the user's last process ends: the key to it is the kernel's
    ADay,        ///< as long as any of it is good for
};

/// How a step is taken back. What it needs from the run itself (DUMP, expiry) comes in the receipt.
struct UndoWay
{
    /// By what it is taken back.
    enum class Kind : quint8 {
        None,    ///< it cannot be; why says so
        Restore, ///< every key as it was, if nothing has touched it since
        Script,  ///< a script of its own: script, keys, args
    };
    Kind kind = Kind::None;
    QByteArray script; ///< "undo-move"
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args;      ///< without the first, which is the limit
    bool appendsItems = false;         ///< the items that the run changed follow args
    QString why;                       ///< with None; translated, without a full stop
    UndoLasts lasts = UndoLasts::ADay; ///< how long what it needs is kept
};

/// The answer of an action that only looks: it is known once planned.
struct Answer
{
    bool yes = false;
    QString text; ///< one sentence; translated
};

/// What is going to be done, all of it, before anything is. A value; nothing in it changes between
/// being shown and being run. Texts are translated sentences.
struct Plan
{
    QByteArray action; ///< "lock.release"
    Kind kind = Kind::Lock;
    QByteArray layout; ///< of the primitive; empty where there is none
    QByteArray name;   ///< of the primitive
    /// As it goes into the journal: the name, but never a code that is to be kept secret.
    QByteArray journalName;

    QString verb;         ///< on the button: "Release"
    QString question;     ///< "Release the lock lock:invoice?"
    QString consequence;  ///< what it means for those who use it
    QString expected;     ///< what was seen
    QString guard;        ///< what the server checks again before it writes
    QStringList commands; ///< what the script does if the guard holds, as one would type it

    QByteArray script; ///< "lock-release", a file of lua/actions; empty with an answer
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args;  ///< from ARGV[2] on
    std::vector<QByteArray> items; ///< those of args that are items, for the receipt and undo
    /// What the guard compares, as it was seen, and when the key ended: see stillFits().
    std::vector<QByteArray> seen;
    std::optional<qint64> seenExpiryMs;
    qint64 objects = 1; ///< how many things change
    bool loses = false; ///< what it removes is gone once undo has expired
    UndoWay undo;

    QString node;                 ///< where its keys are; empty: see nodeOfKeys()
    QByteArray undoes;            ///< the receipt of the step that this one takes back
    QByteArray group;             ///< of the run of several that it belongs to; empty: it is alone
    qint64 notAfterMs = 0;        ///< by the server's clock it is not sent later; 0: any time
    QByteArray revealed;          ///< shown once when it is done: a token's code
    std::optional<Answer> answer; ///< it only read; there is nothing to run
    /// What of the same is done after it in steps of their own: what is too much for one script, or
    /// is to come little by little. Empty in each of these.
    std::vector<Plan> further;
    qint64 afterMs = 0; ///< it follows the step before it in its run after that time at least

    /// A key as it may be shown and written down: what holds a secret code is masked.
    QByteArray redactedKey(const QByteArray& key) const
    {
        return key == name && journalName != name ? journalName : lk::redactedKey(kind, key);
    }
};

/// How many things change in all of these.
qint64 objectsOf(const std::vector<Plan>& plans);

/// False if what the guard of the first compares is otherwise in the second, which was made in the
/// same way later: the first would end as a conflict.
bool stillFits(const Plan& shown, const Plan& now);

/// The most bytes of a key that are kept for undoing.
inline constexpr qint64 undoLimitBytes = 1024 * 1024;
/// How long they are kept (milliseconds).
inline constexpr qint64 undoKeptMs = 24LL * 3600 * 1000;

/// For how long and on what condition it can be undone, or why not. Translated, no full stop.
QString undoText(const UndoWay& undo);

} // namespace lk
