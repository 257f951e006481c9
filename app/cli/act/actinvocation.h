// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/pace/scanpace.h"
#include "backend/libraries/api/action.h"
#include "backend/redis/url.h"

namespace lk {

/// What `lockkeeper act` asks for.
struct ActInvocation
{
    enum class What : quint8 { Step, Undo, Journal, AutoRequeue, Help };
    What what = What::Step;
    ServerUrl url;
    QByteArray action; ///< Step: "lock.release"; Help: of which, or empty
    QByteArray
        name; ///< Step, AutoRequeue: of the primitive; empty for one that makes something new
    ActionRequest request; ///< Step; AutoRequeue: for, older-than
    QByteArray receipt;    ///< Undo
    /// Parameters whose values are read from files ("-": standard input), by name.
    std::map<QByteArray, QString> files = {};
    QByteArrayList exposed = {}; ///< parameters that others can read among the arguments
    QString configFile;
    QString environment;
    QString reason;
    QString undoKey; ///< as fetchUndoKey() takes it
    bool dryRun = false;
    bool yes = false;
    bool json = false;                 ///< Journal, Step, Undo: what is printed
    std::optional<ScanPace> pace = {}; ///< where a name alone leads to nothing: of the scan
};

/// words: what follows "act". Errors: BadArgument, BadUrl. What a step's parameters must be is
/// checked where it is planned.
Result<ActInvocation> parseAct(const QStringList& words, const QString& passwordVariable);

} // namespace lk
