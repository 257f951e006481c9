// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actcommand.h"

#include "app/actinvocation.h"
#include "app/actsession.h"
#include "app/acttext.h"
#include "app/snapshotcommand.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>

namespace lk {

namespace {

constexpr qint64 largestPayload = 64 * 1024 * 1024; // bytes

void print(const QByteArray& text)
{
    std::fwrite(text.constData(), 1, size_t(text.size()), stdout);
}

Result<QByteArray> readPayload(const QString& path)
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
    return bytes;
}

int showJournal(const ActInvocation& invocation)
{
    const Journal journal(journalPath());
    Result<Journal::Contents> contents = journal.read();
    if (!contents)
        return reportError(contents.error());
    const QString endpoint = invocation.url.endpoint();
    std::erase_if(contents->entries,
                  [&](const JournalEntry& e) { return e.endpoint != endpoint; });
    print(invocation.json ? journalJson(contents->entries)
                          : journalText(contents->entries).toUtf8());
    if (contents->broken > 0)
        std::fprintf(stderr, "lockkeeper: %s\n",
                     QCoreApplication::translate("lk::ActCommand",
                                                 "%n line(s) of the journal are not whole and were "
                                                 "left out",
                                                 nullptr, int(contents->broken))
                         .toUtf8()
                         .constData());
    return ExitDone;
}

} // namespace

int runAct(const QStringList& words, const QString& passwordVariable)
{
    Result<ActInvocation> invocation = parseAct(words, passwordVariable);
    if (!invocation)
        return reportError(invocation.error());
    if (invocation->what == ActInvocation::What::Help) {
        print(actHelpText().toUtf8());
        return ExitDone;
    }
    if (invocation->what == ActInvocation::What::Journal)
        return showJournal(*invocation);
    if (!invocation->payloadFile.isEmpty()) {
        const Result<QByteArray> payload = readPayload(invocation->payloadFile);
        if (!payload)
            return reportError(payload.error());
        invocation->request.values["payload"] = *payload;
    }
    Config config;
    if (!invocation->configFile.isEmpty()) {
        Result<Config> loaded = loadConfig(invocation->configFile);
        if (!loaded)
            return reportError(loaded.error());
        config = std::move(*loaded);
    }
    ActSession session(std::move(*invocation), std::move(config));
    QMetaObject::invokeMethod(&session, &ActSession::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
