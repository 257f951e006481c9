// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// "1 byte", "512 bytes", "1.2 kB", in the format of the locale. Translated.
QString dataSizeText(qint64 bytes);

} // namespace lk
