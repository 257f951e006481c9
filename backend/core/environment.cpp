// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/environment.h"

#include <QRegularExpression>

namespace lk {

// Rather too often than not at all: whatever it is called, "prod" in it means production.
bool isProduction(const QString& environment)
{
    static const QRegularExpression before(QStringLiteral("(pre|non|no|not)[\\W_]?prod"),
                                           QRegularExpression::CaseInsensitiveOption);
    return environment.trimmed().compare(QLatin1String("live"), Qt::CaseInsensitive) == 0
           || (environment.contains(QLatin1String("prod"), Qt::CaseInsensitive)
               && !before.match(environment).hasMatch());
}

} // namespace lk
