// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/retrypause.h"

#include <QRandomGenerator>

#include <algorithm>

namespace lk {

int retryPause(int attempt, int firstMs, int longestMs)
{
    const int doublings = std::clamp(attempt - 1, 0, 20);
    const qint64 pause = std::min<qint64>(qint64(firstMs) << doublings, longestMs);
    return int(pause * QRandomGenerator::global()->bounded(75, 126) / 100);
}

} // namespace lk
