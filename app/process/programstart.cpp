// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/programstart.h"

#include "app/process/hiddenarguments.h"
#include "app/process/processenvironment.h"
#include "backend/platform/handover.h"
#include "backend/platform/process.h"
#include "backend/platform/streams.h"

#include <QCoreApplication>

#include <optional>

namespace lk {

namespace {

// The password, the key and the arguments, with a zero byte between each and the next: none can
// hold one.
QByteArray packed(const ProgramStart& start)
{
    QByteArray bytes = start.password.toUtf8() + '\0' + start.undoKey.toUtf8();
    for (const QString& argument : start.arguments)
        bytes += '\0' + argument.toUtf8();
    return bytes;
}

std::optional<ProgramStart> unpacked(const QByteArray& bytes)
{
    if (bytes.isNull())
        return std::nullopt;
    const QList<QByteArray> fields = bytes.split('\0');
    ProgramStart start;
    start.password = QString::fromUtf8(fields.front());
    start.undoKey = QString::fromUtf8(fields.value(1));
    for (const QByteArray& argument : fields.mid(2))
        start.arguments << QString::fromUtf8(argument);
    return start;
}

} // namespace

ProgramStart beginProgram(int argc, char** argv)
{
    prepareStreams();
    ignoreRelativeFolders();
    keepMemoryPrivate();
    ProgramStart start;
    start.password = takeFromEnvironment("LOCKKEEPER_PASSWORD");
    start.undoKey = takeFromEnvironment("LOCKKEEPER_UNDO_KEY");
    for (int i = 1; i < argc; ++i)
        start.arguments << QString::fromLocal8Bit(argv[i]);
    hideSecrets(argc, argv);
    if (const std::optional<ProgramStart> handed = unpacked(takeHandedOver()))
        start = *handed;
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setOrganizationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    return start;
}

int becomeProgram(const QString& path, int argc, char** argv, const ProgramStart& start)
{
    return becomeProgram(path, argc, argv, packed(start));
}

} // namespace lk
