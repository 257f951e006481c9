// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/checkconfig.h"
#include "backend/config/configedit.h"
#include "backend/history/retention.h"

#include <array>

namespace lk {

/// The keys of [recording] that set durations, in the order of Retention::tiers: "as_read",
/// "every_10s", "every_minute", "every_hour".
inline constexpr std::array<const char*, 4> recordingTierKeys{"as_read", "every_10s",
                                                              "every_minute", "every_hour"};

/// The limits of [recording]. A smaller file holds too little to be useful; a larger one is a
/// typing mistake.
inline constexpr qint64 leastRecordingBytes = 16LL * 1024 * 1024;
inline constexpr qint64 mostRecordingBytes = 16LL * 1024 * 1024 * 1024 * 1024;
inline constexpr qint64 leastKeepMs = Retention::minute;
inline constexpr qint64 mostKeepMs = 3650 * Retention::day;

/// Why the retention is invalid, as text; empty if it is valid. For the dialog and the file.
QString retentionProblem(const Retention& retention);

/// Reads [recording]. Strict: the first mistake refuses the file.
tl::expected<Retention, ConfigRefusal> readRecording(const toml::node& node);

/// Writes retention and size. Changes only values that differ, in the existing [recording], whose
/// comments and order stay, else in a new one at the end. Otherwise like declareLimiter(). Errors:
/// BadConfig.
Result<ConfigEdit> writeRecording(const QByteArray& toml, const QString& fileName,
                                  const Retention& wanted);

/// A size as written in the file: "500MB", "2GB", in powers of 1024 as in redis.conf. Uses the
/// largest unit that is exact; rounds up to whole MB.
QString configSize(qint64 bytes);

} // namespace lk
