// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/scanpaceid.h"

namespace lk {

QString scanPaceId(ScanPace pace)
{
    switch (pace) {
    case ScanPace::Polite:
        return QStringLiteral("polite");
    case ScanPace::Fast:
        return QStringLiteral("fast");
    case ScanPace::Normal:
        break;
    }
    return QStringLiteral("normal");
}

std::optional<ScanPace> scanPaceOf(const QString& id)
{
    for (const ScanPace pace : {ScanPace::Polite, ScanPace::Normal, ScanPace::Fast}) {
        if (scanPaceId(pace) == id)
            return pace;
    }
    return std::nullopt;
}

} // namespace lk
