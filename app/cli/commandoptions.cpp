// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandoptions.h"

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
    return {QStringLiteral("format"), QStringLiteral("text|json"),
            CommandOptionsText::tr("Print text, or JSON for programs. Default: text")};
}

CommandOption timeoutOption()
{
    return {QStringLiteral("timeout"), QStringLiteral("DURATION"),
            CommandOptionsText::tr("Give up after this long without progress. Default: 60s")};
}

CommandOption storeOption()
{
    return {QStringLiteral("store"), QStringLiteral("FILE"),
            CommandOptionsText::tr(
                "Use this recording. Default: ~/.local/state/lockkeeper/history.db")};
}

CommandOption paceOption()
{
    return {QStringLiteral("pace"), QStringLiteral("polite|normal|fast"),
            CommandOptionsText::tr(
                "Limit the load on the server. Default: as fast as it answers, in short slices "
                "while it is busy with other clients")};
}

Result<std::optional<ScanPace>> paceOf(const CommandLine& line)
{
    const QString option = QStringLiteral("pace");
    if (!line.isSet(option))
        return std::optional<ScanPace>();
    for (const auto& [name, pace] :
         {std::pair("polite", ScanPace::Polite), std::pair("normal", ScanPace::Normal),
          std::pair("fast", ScanPace::Fast)}) {
        if (line.value(option) == QLatin1String(name))
            return pace;
    }
    return failure(ErrorCode::BadArgument,
                   CommandOptionsText::tr("--pace takes polite, normal or fast"));
}

} // namespace lk
