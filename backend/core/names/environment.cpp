// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/environment.h"

#include <QRegularExpression>

namespace lk {

// Prefers a false positive to a miss. "prod" anywhere means production, unless the word itself
// negates it: "preprod", "non-prod", but not "casino-prod".
bool isProduction(const QString& environment)
{
    static const QRegularExpression isNot(QStringLiteral("(?<![a-z])(pre|non|no|not)[\\W_]?prod"),
                                          QRegularExpression::CaseInsensitiveOption);
    const QString rest = QString(environment).remove(isNot);
    return rest.trimmed().compare(QLatin1String("live"), Qt::CaseInsensitive) == 0 ||
           rest.contains(QLatin1String("prod"), Qt::CaseInsensitive);
}

} // namespace lk
