// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/confirm.h"

#include "app/process/output.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>
#include <unistd.h>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActSession)
};

} // namespace

bool confirmOnTerminal(const QString& text, const QString& word)
{
    if (!::isatty(STDIN_FILENO)) {
        tellLine(Text::tr("Nothing was changed: not a terminal; use --yes"));
        return false;
    }
    tell(text);
    tell(Text::tr("Type %1 to continue: ").arg(word));
    QFile in;
    const bool open = in.open(stdin, QIODevice::ReadOnly);
    const QString typed = open ? QString::fromUtf8(in.readLine()).trimmed() : QString();
    if (typed == word)
        return true;
    tell(Text::tr("Nothing was changed.") + QLatin1Char('\n'));
    return false;
}

} // namespace lk
