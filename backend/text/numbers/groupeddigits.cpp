// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/numbers/groupeddigits.h"

#include <QLocale>

namespace lk {

void useGroupedDigits()
{
    QLocale locale;
    if (locale.language() != QLocale::C)
        return;
    locale.setNumberOptions(locale.numberOptions() & ~QLocale::OmitGroupSeparator);
    QLocale::setDefault(locale);
}

} // namespace lk
