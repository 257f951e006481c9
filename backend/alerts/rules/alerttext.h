// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertrule.h"

namespace lk {

/// Returns "Waiting: 1,203, above 1,000". Translated.
QString metricText(const MetricCondition& condition, double value);
/// Returns a notification's title in one line: "Resolved: queue-stuck on email". Translated.
QString titleOf(const Notification& notification);
/// Returns the text below the title, at most so many lines. Translated.
QString bodyOf(const Notification& notification, int mostLines);
/// Returns the displayable subject of the alert, without a token's code.
QString shownSubject(const Alert& alert);

} // namespace lk
