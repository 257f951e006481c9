// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"

#include <QByteArray>
#include <QStringList>

#include <optional>
#include <vector>

namespace lk {

/// The longest time that the data for undo is kept.
enum class UndoLasts : quint8 {
    Program,     ///< until the program ends; kept in memory
    UntilLogout, ///< until the user's last process ends; the kernel holds its encryption key
    ADay,        ///< for undoKeptMs
};

/// How a step is undone. The data from the run itself (DUMP, expiry) comes in the receipt.
struct UndoWay
{
    /// The way to undo it.
    enum class Kind : quint8 {
        None,    ///< it cannot be undone; why has the reason
        Restore, ///< restores every key, if it has not changed since
        Script,  ///< runs a script: script, keys, args
    };
    Kind kind = Kind::None;
    QByteArray script; ///< "undo-move"
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args;      ///< without ARGV[1], the limit
    bool appendsItems = false;         ///< the items that the run changed follow args
    QString why;                       ///< with None; translated, without a full stop
    UndoLasts lasts = UndoLasts::ADay; ///< how long its data is kept
};

/// The answer of an action that only reads. It is known once planned.
struct Answer
{
    bool yes = false;
    QString text; ///< one sentence; translated
};

/// All that an action is going to do, before it does anything. A value; it does not change between
/// being shown and being run. Texts are translated sentences.
struct Plan
{
    QByteArray action; ///< "lock.release"
    Kind kind = Kind::Lock;
    QByteArray layout; ///< the primitive's layout; empty if there is none
    QByteArray name;   ///< the primitive's name
    /// The name as the journal records it. Secret codes are masked.
    QByteArray journalName;

    QString verb;         ///< on the button: "Release"
    QString question;     ///< "Release the lock lock:invoice?"
    QString consequence;  ///< the effect on its users
    QString expected;     ///< the state that was seen
    QString guard;        ///< the conditions that the server checks again before it writes
    QStringList commands; ///< the commands of the script if the guard holds, as one would type them

    QByteArray script; ///< "lock-release", a file of lua/actions; empty with an answer
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args;  ///< from ARGV[2] on
    std::vector<QByteArray> items; ///< the args that are items, for the receipt and undo
    /// The values that the guard compares, as they were seen, and the key's expiry. See
    /// stillFits().
    std::vector<QByteArray> seen;
    std::optional<qint64> seenExpiryMs;
    qint64 objects = 1; ///< how many things change
    bool loses = false; ///< it removes data that is lost once undo has expired
    UndoWay undo;

    QString node;          ///< the node of its keys; empty: see nodeOfKeys()
    QByteArray undoes;     ///< the receipt of the step that this one undoes
    QByteArray group;      ///< the run of several plans that it belongs to; empty if it is alone
    qint64 notAfterMs = 0; ///< not sent later than this (server time); 0: any time
    QByteArray revealed;   ///< shown once when it is done: a token's code
    std::optional<Answer> answer; ///< set if the action only reads; there is nothing to run
    /// The further steps of the same action, run after this one: work that is too much for one
    /// script or is spread over time. Empty in each of these steps.
    std::vector<Plan> further;
    qint64 afterMs = 0; ///< the shortest wait after the previous step of its run

    /// A key as it may be shown and logged: a key that contains a secret code is masked.
    QByteArray redactedKey(const QByteArray& key) const
    {
        return key == name && journalName != name ? journalName : lk::redactedKey(kind, key);
    }
};

/// The sum of Plan::objects.
qint64 objectsOf(const std::vector<Plan>& plans);

/// False if the values that the guard of shown compares differ in now, the same plan made later.
/// Running shown would then end as a conflict.
bool stillFits(const Plan& shown, const Plan& now);

/// The most bytes of a key that are kept for undoing.
inline constexpr qint64 undoLimitBytes = 1024 * 1024;
/// How long they are kept (milliseconds).
inline constexpr qint64 undoKeptMs = 24LL * 3600 * 1000;

/// How long and under which condition it can be undone, or why not. Translated, no full stop.
QString undoText(const UndoWay& undo);

} // namespace lk
