// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/exitcodes.h"

#include "backend/core/names/foreigntext.h"
#include "backend/text/errortext.h"

#include <cstdio>
#include <cstdlib>

namespace lk {

namespace {

// Returns no advice for errors that pass: only the window and a recording try again by themselves.
QString adviceFor(const Error& error)
{
    switch (error.code) {
    case ErrorCode::Loading:
    case ErrorCode::Busy:
    case ErrorCode::MasterDown:
    case ErrorCode::ClusterDown:
    case ErrorCode::NodeDown:
        return {};
    default:
        return errorAdvice(error);
    }
}

} // namespace

int reportError(const Error& error, const QString& where)
{
    const QString advice = adviceFor(error);
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

void endAtOnce([[maybe_unused]] int code)
{
#ifndef __SANITIZE_ADDRESS__
    std::fflush(nullptr);
    std::_Exit(code);
#endif
}

} // namespace lk
