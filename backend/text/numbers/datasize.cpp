// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/numbers/datasize.h"

#include <QCoreApplication>
#include <QLocale>

namespace lk {

namespace {

struct DataSizeText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Pattern)
};

} // namespace

QString dataSizeText(qint64 bytes)
{
    if (bytes == 1) // Qt has no singular form
        return QStringLiteral("1 ") + DataSizeText::tr("byte");
    return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

} // namespace lk
