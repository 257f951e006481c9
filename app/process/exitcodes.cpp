// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/exitcodes.h"

#include "backend/core/names/foreigntext.h"
#include "backend/text/errortext.h"

#include <cstdio>

namespace lk {

int reportError(const Error& error, const QString& where)
{
    const QString advice = errorAdvice(error);
    QString line = QStringLiteral("lockkeeper: ");
    if (!where.isEmpty())
        line += where + QStringLiteral(": ");
    line += errorText(error);
    if (!advice.isEmpty())
        line += QStringLiteral(". ") + advice;
    line = foreignText(line.replace(QLatin1Char('\n'), QLatin1Char(' ')));
    std::fprintf(stderr, "%s\n", line.toUtf8().constData());
    return ExitUsage;
}

} // namespace lk
