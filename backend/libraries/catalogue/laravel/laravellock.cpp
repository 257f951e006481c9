// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/ownerlock.h"

namespace lk {

namespace {

// The prefixes of the connection and of the cache are the application's name with a word behind it,
// and the lock's name may follow at once: "laravel_database_laravel_cacheimport-once".
bool isJoinedToLaravelCache(const QByteArray& name)
{
    const QByteArray database = QByteArrayLiteral("_database_");
    const qsizetype at = name.indexOf(database);
    if (at <= 0)
        return name.startsWith("laravel_cache") && name.size() > 13;
    const QByteArray cache = name.left(at) + "_cache";
    return name.mid(at + database.size()).startsWith(cache) &&
           name.size() > at + database.size() + cache.size();
}

} // namespace

// Cache::lock() and the framework's own locks: unique jobs, overlaps, scheduled commands. The keys
// have the cache's prefix. A cached text of 16 characters has another format.
const Layout& layouts_laravelLock()
{
    static const OwnerLock layout(
        {.id = "laravel-lock",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "Laravel lock"),
         .form = OwnerForm::Alnum16,
         .places = {"_cache:", "_cache_", "-cache-", "framework/schedule-",
                    "laravel_unique_job:", "laravel-queue-overlap:"},
         .named = 0.92,
         .needsTtl = false,
         .isPlaced = isJoinedToLaravelCache});
    return layout;
}

} // namespace lk
