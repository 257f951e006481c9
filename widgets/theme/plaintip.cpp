// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/plaintip.h"

#include <QTextDocument>

namespace lk {

QString plainTip(const QString& text)
{
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

} // namespace lk
