// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandoptions.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Commands)
};

} // namespace

CommandOption formatOption()
{
    return {QStringLiteral("format"), QStringLiteral("text|json"),
            Text::tr("Print text, or JSON for programs. Default: text")};
}

CommandOption timeoutOption()
{
    return {QStringLiteral("timeout"), QStringLiteral("DURATION"),
            Text::tr("Give up after this long without progress. Default: 60s")};
}

CommandOption storeOption()
{
    return {QStringLiteral("store"), QStringLiteral("FILE"),
            Text::tr("Use this recording. Default: ~/.local/state/lockkeeper/history.db")};
}

} // namespace lk
