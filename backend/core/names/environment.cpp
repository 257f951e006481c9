// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/environment.h"

#include <QRegularExpression>

namespace lk {

// Rather too often than not at all: whatever it is called, "prod" in it means production, unless
// the very word says that it is not: "preprod", "non-prod", but not "casino-prod".
bool isProduction(const QString& environment)
{
    static const QRegularExpression isNot(QStringLiteral("(?<![a-z])(pre|non|no|not)[\\W_]?prod"),
                                          QRegularExpression::CaseInsensitiveOption);
    const QString rest = QString(environment).remove(isNot);
    return rest.trimmed().compare(QLatin1String("live"), Qt::CaseInsensitive) == 0 ||
           rest.contains(QLatin1String("prod"), Qt::CaseInsensitive);
}

} // namespace lk
