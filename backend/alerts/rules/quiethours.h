// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"

#include <QDateTime>

namespace lk {

/// True if alerts of that severity send no notifications at that local time.
bool isQuiet(const std::vector<QuietHours>& hours, Finding::Severity severity,
             const QDateTime& local);

} // namespace lk
