// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandoptions.h"

#include "backend/session/scanpaceid.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct CommandOptionsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Commands)
};

} // namespace

CommandOption formatOption()
{
    return {"format", "text|json",
            CommandOptionsText::tr("Print text, or JSON for programs. Default: text")};
}

CommandOption timeoutOption()
{
    return {"timeout",
            "DURATION",
            CommandOptionsText::tr("Give up after this long without progress. Default: 60s"),
            {"20s", "60s", "5m"}};
}

CommandOption storeOption()
{
    return {"store", "FILE",
            CommandOptionsText::tr(
                "Use this recording. Default: ~/.local/state/lockkeeper/history.db")};
}

CommandOption paceOption()
{
    return {"pace", "polite|normal|fast",
            CommandOptionsText::tr(
                "Limit the load on the server. Default: as fast as it answers, in short slices "
                "while it is busy with other clients")};
}

Result<std::optional<ScanPace>> paceOf(const CommandLine& line)
{
    const QString option = QStringLiteral("pace");
    if (!line.isSet(option))
        return std::optional<ScanPace>();
    if (const std::optional<ScanPace> pace = scanPaceOf(line.value(option)))
        return pace;
    return failure(ErrorCode::BadArgument,
                   CommandOptionsText::tr("--pace takes polite, normal or fast"));
}

} // namespace lk
