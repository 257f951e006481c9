// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QStringList>

// The part of an address after the "?". Errors: BadUrl; the detail says what would be correct.
namespace lk::urltext {

Result<void> readDatabase(ServerUrl& url, QStringView text);

/// url must have its scheme and deployment already. databaseGiven: a database was given before the
/// "?".
Result<void> readOptions(ServerUrl& url, QStringView text, bool databaseGiven);

/// Returns the options from which readOptions() restores the URL, without the Sentinels' password
/// and without db=N.
QStringList optionTexts(const ServerUrl& url);

} // namespace lk::urltext
