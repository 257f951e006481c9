// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/language.h"

#include "backend/text/numbers/groupeddigits.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

namespace lk {

void installTranslators(QCoreApplication& app)
{
    useGroupedDigits();
    const QString folder = QStringLiteral(":/translations");
    auto* english = new QTranslator(&app);
    if (english->load(QStringLiteral("lockkeeper_en"), folder))
        QCoreApplication::installTranslator(english);
    auto* own = new QTranslator(&app); // is asked first
    if (own->load(QLocale(), QStringLiteral("lockkeeper"), QStringLiteral("_"), folder))
        QCoreApplication::installTranslator(own);
}

} // namespace lk
