// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/processenvironment.h"

#include "app/process/exitcodes.h"

#include <QCoreApplication>

#include <cstdlib>

namespace lk {

namespace {

struct ProcessEnvironmentText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ProcessEnvironment)
};

QtMessageHandler handlerBefore = nullptr;

// Qt reports a missing display in several lines. The last one is fatal and names the plugin that
// would have opened it.
void onMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (type == QtFatalMsg && message.contains(QLatin1String("platform plugin"))) {
        const QByteArray x11 = qgetenv("DISPLAY");
        const QByteArray wayland = qgetenv("WAYLAND_DISPLAY");
        const QString where = QString::fromLocal8Bit(wayland.isEmpty() ? x11 : wayland);
        reportError({ErrorCode::BadArgument,
                     where.isEmpty()
                         ? ProcessEnvironmentText::tr(
                               "No display: neither DISPLAY nor WAYLAND_DISPLAY is set. "
                               "snapshot, check, act and screenshots need none")
                         : ProcessEnvironmentText::tr(
                               "The display %1 cannot be opened. snapshot, check, act and "
                               "screenshots need none")
                               .arg(where)});
        std::_Exit(ExitUsage);
    }
    const bool aboutDisplay = qstrncmp(context.category, "qt.qpa", 6) == 0;
    if (!aboutDisplay && handlerBefore)
        handlerBefore(type, context, message);
}

} // namespace

void ignoreRelativeFolders()
{
    for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
                             "XDG_RUNTIME_DIR"}) {
        const QByteArray folder = qgetenv(name);
        if (!folder.isEmpty() && !folder.startsWith('/'))
            qunsetenv(name);
    }
}

bool hasDisplay()
{
#ifdef Q_OS_LINUX
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
        // Qt can draw on other platforms than X and Wayland if it is set: eglfs, vnc.
        const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
        return !platform.isEmpty() && !platform.startsWith("offscreen") &&
               !platform.startsWith("minimal");
    }
#endif
    return true;
}

DisplayCheck::DisplayCheck()
{
    handlerBefore = qInstallMessageHandler(onMessage);
}

DisplayCheck::~DisplayCheck()
{
    qInstallMessageHandler(handlerBefore);
}

} // namespace lk
