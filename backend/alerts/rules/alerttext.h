// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertrule.h"

namespace lk {

/// "Waiting: 1,203, above 1,000". Translated.
QString metricText(const MetricCondition& condition, double value);
/// What a notification says in one line: "Resolved: queue-stuck on email". Translated.
QString titleOf(const Notification& notification);
/// What a notification says below that, for people; at most so many lines. Translated.
QString bodyOf(const Notification& notification, int mostLines);
/// What the alert concerns, as it may be shown: without a token's code.
QString shownSubject(const Alert& alert);

} // namespace lk
