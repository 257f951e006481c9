// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/monitor/monitor.h"

#include <QString>

namespace lk {

// The console's texts about its own state. Translated.

QString feedText(const FeedStatus& feed); ///< "tracking, 6 prefixes"
QString feedToolTip(const FeedStatus& feed);
QString costText(const Cost& cost);               ///< "42 commands/s, 3 kB/s"
QString payloadText(const MonitorReport& report); ///< " · payloads waiting: 12", or nothing
QString payloadToolTip(const MonitorReport& report);
QString roundTripText(const Cost& cost);     ///< "0.4 ms"
QString clockText(const ServerClock& clock); ///< "3 ms ahead of this machine"
/// Returns whether reading marks keys as recently used, and the consequence.
QString readingText(const MonitorReport& report, const ServerInfo& info);
/// Returns the problems of a server that answers, as sentences: a replica that is behind, a disk
/// that fails, data that is being loaded, no connection for the scan.
QStringList serverTrouble(const ServerInfo& info, const MonitorReport& report);
/// "scanned 1,204 · detected 71 · not recognized 1,133"
QString scanText(const MonitorReport& report);
QString scanProgressText(const ScanCounts& scan); ///< "scanning 43 %, 1 m 20 s left"
QString scanToolTip(const MonitorReport& report); ///< keys that could not be read, a line each
/// Returns what the connection is doing, and what happens next. lostForMs: the time since the
/// connection was lost. nextTryMs: the time until the next try.
QString connectionText(const ConnectionStatus& status, const QString& endpoint, qint64 lostForMs,
                       qint64 nextTryMs);

} // namespace lk
