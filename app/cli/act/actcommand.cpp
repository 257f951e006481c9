// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/actcommand.h"

#include "app/cli/act/actcommands.h"
#include "app/cli/act/actinvocation.h"
#include "app/cli/act/actsession.h"
#include "app/cli/act/acttext.h"
#include "app/cli/snapshot/snapshotcommand.h"
#include "app/process/output.h"
#include "backend/config/ownlayouts.h"

#include <QCoreApplication>
#include <QFile>
#include <QSet>

#include <cstdio>

namespace lk {

namespace {

constexpr qint64 largestPayload = 64 * 1024 * 1024; // bytes

// A value that is not to stand among the arguments: of a file, or of standard input ("-").
Result<QByteArray> readValue(const QString& path)
{
    QFile file(path);
    const bool open = path == QLatin1String("-") ? file.open(stdin, QIODevice::ReadOnly)
                                                 : file.open(QIODevice::ReadOnly);
    if (!open)
        return failure(ErrorCode::FileError,
                       QStringLiteral("%1: %2").arg(path, file.errorString()));
    QByteArray bytes = file.read(largestPayload + 1);
    if (bytes.size() > largestPayload)
        return failure(ErrorCode::BadArgument,
                       QCoreApplication::translate("lk::ActCommand", "%1 is too large").arg(path));
    if (bytes.isEmpty()) // as when the command before a pipe failed: that is no job
        return failure(ErrorCode::BadArgument,
                       path == QLatin1String("-")
                           ? QCoreApplication::translate("lk::ActCommand", "Standard input is "
                                                                           "empty; nothing was "
                                                                           "changed")
                           : QCoreApplication::translate("lk::ActCommand", "%1 is empty; nothing "
                                                                           "was changed")
                                 .arg(path));
    return bytes;
}

Result<void> readValues(ActInvocation& invocation)
{
    for (const auto& [name, path] : invocation.files) {
        Result<QByteArray> value = readValue(path);
        if (!value)
            return tl::unexpected(value.error());
        // A payload is taken as it is; a name ends where its line does.
        if (name != "payload" && value->endsWith('\n'))
            value->chop(1);
        invocation.request.values[name] = *value;
    }
    return {};
}

// The value of --layouts.
QString layoutsFolderIn(const QStringList& words)
{
    const QString option = QStringLiteral("--layouts");
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == option)
            return words.value(i + 1);
        if (words[i].startsWith(option + QLatin1Char('=')))
            return words[i].mid(option.size() + 1);
    }
    return {};
}

void warn(const QString& text)
{
    std::fprintf(stderr, "lockkeeper: %s\n", text.toUtf8().constData());
}

// The user may have named any node of a cluster, or one server of a Sentinel group. The nodes that
// the actions went to connect these endpoints; no server is asked.
std::vector<JournalEntry> entriesAt(const QString& endpoint, std::vector<JournalEntry> entries)
{
    QSet<QString> places{endpoint};
    for (qsizetype known = 0; known < places.size();) {
        known = places.size();
        for (const JournalEntry& e : entries) {
            if (!e.node.isEmpty() && (places.contains(e.endpoint) || places.contains(e.node)))
                places << e.endpoint << e.node;
        }
    }
    std::erase_if(entries, [&](const JournalEntry& e) { return !places.contains(e.endpoint); });
    return entries;
}

int showJournal(const ActInvocation& invocation)
{
    const Journal journal(journalPath());
    Result<Journal::Contents> contents = journal.read();
    if (!contents)
        return reportError(contents.error());
    contents->entries = entriesAt(invocation.url.endpoint(), std::move(contents->entries));
    Output out;
    out.write(invocation.json ? journalJson(contents->entries)
                              : journalText(contents->entries).toUtf8());
    if (contents->broken > 0)
        warn(QCoreApplication::translate("lk::ActCommand",
                                         "%n incomplete line(s) of the journal were skipped",
                                         nullptr, int(contents->broken)));
    return out.end(ExitDone);
}

} // namespace

int runAct(const QStringList& words, const ProgramStart& start)
{
    // Before the words are read: which actions there are the layouts say.
    const bool help =
        words.contains(QStringLiteral("--help")) || words.contains(QStringLiteral("-h"));
    const Result<void> added = help ? Result<void>() : addOwnLayouts(layoutsFolderIn(words));
    if (!added)
        return reportError(added.error());
    Result<ActInvocation> invocation = parseAct(words, start.password);
    if (!invocation)
        return reportError(invocation.error());
    if (invocation->undoKey.isEmpty())
        invocation->undoKey = start.undoKey;
    if (invocation->what == ActInvocation::What::Help) {
        Output out;
        out.print(actHelpText(invocation->action));
        return out.end(ExitDone);
    }
    if (invocation->what == ActInvocation::What::Journal)
        return showJournal(*invocation);
    for (const QByteArray& name : invocation->exposed)
        warn(QCoreApplication::translate("lk::ActCommand",
                                         "other users can read --%1 on the command line; "
                                         "use --%1 - or --%1-file FILE")
                 .arg(QString::fromLatin1(name)));
    if (const Result<void> read = readValues(*invocation); !read)
        return reportError(read.error());
    Result<Config> config = loadConfigOrDefault(invocation->configFile);
    if (!config)
        return reportError(config.error());
    ActSession session(std::move(*invocation), std::move(*config));
    QMetaObject::invokeMethod(&session, &ActSession::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
