// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/checkconfig.h"
#include "backend/config/configedit.h"
#include "backend/history/retention.h"

#include <array>

namespace lk {

/// The keys of [recording] that say for how long, each for the tier of its place in
/// Retention::tiers: "as_read", "every_10s", "every_minute", "every_hour".
inline constexpr std::array<const char*, 4> recordingTierKeys{"as_read", "every_10s",
                                                              "every_minute", "every_hour"};

/// What [recording] may say: a smaller file holds too little to be of use, a larger one is a typing
/// mistake.
inline constexpr qint64 leastRecordingBytes = 16LL * 1024 * 1024;
inline constexpr qint64 mostRecordingBytes = 16LL * 1024 * 1024 * 1024 * 1024;
inline constexpr qint64 leastKeepMs = Retention::minute;
inline constexpr qint64 mostKeepMs = 3650 * Retention::day;

/// Why nothing can be recorded so, in words; empty: it can be. For a dialog as for the file.
QString retentionProblem(const Retention& retention);

/// Reads [recording], strictly as the rest: the first thing that is wrong refuses it.
tl::expected<Retention, ConfigRefusal> readRecording(const toml::node& node);

/// Retention and size in the file: what differs from what the file says now, in its [recording],
/// where comments and order stay, else in a new one at the end. As declareLimiter() otherwise.
/// Errors: BadConfig.
Result<ConfigEdit> writeRecording(const QByteArray& toml, const QString& fileName,
                                  const Retention& wanted);

/// As such a file has it: "500MB", "2GB", in powers of 1024 as in redis.conf. The largest unit that
/// says it exactly; less than a MB is rounded up.
QString configSize(qint64 bytes);

} // namespace lk
