// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QStringList>

// What stands behind the "?" of an address. Errors: BadUrl; the detail says what would be right.
namespace lk::urltext {

Result<void> readDatabase(ServerUrl& url, QStringView text);

/// url has its scheme and deployment already. databaseGiven: before the "?".
Result<void> readOptions(ServerUrl& url, QStringView text, bool databaseGiven);

/// What readOptions() makes the same of, without the Sentinels' password; db=N is not among them.
QStringList optionTexts(const ServerUrl& url);

} // namespace lk::urltext
