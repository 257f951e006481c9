// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/monitor/monitor.h"

#include <QString>

namespace lk {

// What the console says about itself, in one place. Translated.

QString feedText(const FeedStatus& feed); ///< "tracking, 6 prefixes"
QString feedToolTip(const FeedStatus& feed);
QString costText(const Cost& cost);               ///< "42 commands/s, 3 kB/s"
QString payloadText(const MonitorReport& report); ///< " · payloads waiting: 12", or nothing
QString payloadToolTip(const MonitorReport& report);
QString roundTripText(const Cost& cost);     ///< "0.4 ms"
QString clockText(const ServerClock& clock); ///< "3 ms ahead of this machine"
/// Whether reading makes keys recently used, and what is done about it.
QString readingText(const MonitorReport& report, const ServerInfo& info);
/// What is wrong with a server that answers: a replica that is behind, a disk that fails, data that
/// is being loaded, no connection for the scan. Sentences.
QStringList serverTrouble(const ServerInfo& info, const MonitorReport& report);
QString scanText(const MonitorReport& report); ///< "scanned 1,204 · claimed 71 · unclaimed 1,133"
QString scanProgressText(const ScanCounts& scan); ///< "scanning 43 %, 1 m 20 s left"
QString scanToolTip(const MonitorReport& report); ///< what could not be read, a line each
/// What the connection is doing, and what happens next. secondsLeft: until the next try.
QString connectionText(const ConnectionStatus& status, const QString& endpoint, qint64 lostForMs,
                       qint64 nextTryMs);

} // namespace lk
