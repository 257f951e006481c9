// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/confirm.h"

#include "app/process/output.h"
#include "backend/platform/streams.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>

namespace lk {

namespace {

struct ActSessionText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActSession)
};

} // namespace

bool confirmOnTerminal(const QString& text, const QString& word)
{
    if (!isTerminal(standardInput)) {
        tellLine(ActSessionText::tr("Nothing was changed: not a terminal; use --yes"));
        return false;
    }
    tell(text);
    tell(ActSessionText::tr("Type %1 to continue: ").arg(word));
    QFile in;
    const bool open = in.open(stdin, QIODevice::ReadOnly);
    const QString typed = open ? QString::fromUtf8(in.readLine()).trimmed() : QString();
    if (typed == word)
        return true;
    tell(ActSessionText::tr("Nothing was changed.") + QLatin1Char('\n'));
    return false;
}

} // namespace lk
