// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/pace/scanpace.h"
#include "backend/libraries/api/action.h"
#include "backend/redis/url.h"

namespace lk {

/// A parsed command line of `lockkeeper act`.
struct ActInvocation
{
    enum class What : quint8 { Step, Undo, Journal, AutoRequeue, Help };
    What what = What::Step;
    ServerUrl url;
    QByteArray action; ///< Step: "lock.release"; Help: the action's id, or empty
    QByteArray name; ///< Step, AutoRequeue: the primitive's; empty for one that makes something new
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
    bool json = false;                 ///< Journal, Step, Undo: prints JSON
    std::optional<ScanPace> pace = {}; ///< for the scan if the name alone leads to nothing
};

/// words: the arguments after "act". Errors: BadArgument, BadUrl. The values of a step's parameters
/// are checked where it is planned.
Result<ActInvocation> parseAct(const QStringList& words, const QString& passwordVariable);

} // namespace lk
