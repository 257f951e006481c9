// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlockwanted.h"

#include "app/cli/commandoptions.h"
#include "app/process/sharedoptions.h"
#include "backend/core/names/keyname.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct RedlockCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockCommand)
};

using What = RedlockWanted::What;

tl::unexpected<Error> refusedRedlock(const QString& detail)
{
    return failure(ErrorCode::BadArgument, detail);
}

// Refuses the options that only release and undo take.
Result<void> refuseActing(const CommandLine& line)
{
    for (const char* name : {"owner", "dry-run", "yes", "reason", "environment", "undo-key"}) {
        if (line.isSet(QLatin1String(name)))
            return refusedRedlock(
                RedlockCommandText::tr("--%1 belongs to redlock release and redlock undo")
                    .arg(QLatin1String(name)));
    }
    return {};
}

} // namespace

CommandSpec redlockSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper redlock")};
    spec.summary = RedlockCommandText::tr(
        "Print the locks that independent servers hold together (Redlock): by whom, on "
        "how many, and\nfor how long. Or release one on all of its servers. The "
        "configuration file declares the\nservers. Needs no display.");
    spec.usage = {spec.command + QStringLiteral(" [OPTION...]"),
                  spec.command + QStringLiteral(" release NAME --owner VALUE [OPTION...]"),
                  spec.command + QStringLiteral(" undo GROUP [OPTION...]")};
    spec.options = {
        {"owner", "VALUE",
         RedlockCommandText::tr(
             "Release it where this is its owner; keys of other owners stay. Required with "
             "release")},
        {"dry-run", "", RedlockCommandText::tr("Print the plan and change nothing.")},
        {"yes", "",
         RedlockCommandText::tr("Skip the confirmation. Default: type yes on the terminal")},
        {"reason", "TEXT",
         RedlockCommandText::tr(
             "Record this in the journal; required with --environment production. Default: "
             "none")},
        {"environment", "LABEL",
         RedlockCommandText::tr("Ask for the lock's name on production. Default: none")},
        undoKeyOption(),
        formatOption(),
        configOption(),
        timeoutOption()};
    spec.addHelpOption();
    spec.examples = {spec.command + QStringLiteral(" --config lockkeeper.toml"),
                     spec.command + QStringLiteral(" release lock:invoice --owner 8f1c --dry-run")};
    spec.notes = RedlockCommandText::tr(
        "undo reverts a release on all servers; release prints the group that it takes.\nExit "
        "codes: 0 printed or done on all servers, 1 a lock without a quorum, servers that are\nnot "
        "independent, or not done on all, 2 wrong use, or too few servers answer.\n");
    return spec;
}

Result<RedlockWanted> readRedlockWanted(const CommandLine& line)
{
    RedlockWanted wanted;
    QStringList words = line.words;
    const QString verb = words.isEmpty() ? QString() : words.takeFirst();
    if (verb.isEmpty()) {
        if (const Result<void> none = refuseActing(line); !none)
            return tl::unexpected(none.error());
        return wanted;
    }
    if (verb == QLatin1String("release")) {
        wanted.what = What::Release;
        if (words.isEmpty())
            return refusedRedlock(
                RedlockCommandText::tr("redlock release needs the name of a lock"));
        wanted.name = bytesFromDisplay(words.takeFirst());
        wanted.owner = bytesFromDisplay(line.value(QStringLiteral("owner")));
        if (wanted.owner.isEmpty())
            return refusedRedlock(
                RedlockCommandText::tr("redlock release needs --owner; redlock prints the owner"));
    } else if (verb == QLatin1String("undo")) {
        wanted.what = What::Undo;
        if (words.isEmpty())
            return refusedRedlock(
                RedlockCommandText::tr("redlock undo needs the group that release printed"));
        wanted.group = words.takeFirst().toLatin1();
        if (line.isSet(QStringLiteral("owner")))
            return refusedRedlock(RedlockCommandText::tr("--owner belongs to redlock release"));
    } else {
        return tl::unexpected(unexpectedArgument(verb));
    }
    if (!words.isEmpty())
        return tl::unexpected(unexpectedArgument(words.front()));
    wanted.dryRun = line.isSet(QStringLiteral("dry-run"));
    wanted.yes = line.isSet(QStringLiteral("yes"));
    wanted.reason = line.value(QStringLiteral("reason"));
    wanted.environment = line.value(QStringLiteral("environment"));
    wanted.undoKey = line.value(QStringLiteral("undo-key"));
    return wanted;
}

} // namespace lk
