// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/language.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

namespace lk {

void speakLanguage(QCoreApplication& app)
{
    auto* translator = new QTranslator(&app);
    const QString folder = QStringLiteral(":/translations");
    const bool spoken =
        translator->load(QLocale(), QStringLiteral("lockkeeper"), QStringLiteral("_"), folder)
        || translator->load(QStringLiteral("lockkeeper_en"), folder);
    if (spoken)
        QCoreApplication::installTranslator(translator);
}

} // namespace lk
