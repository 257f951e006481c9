// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/zsetlock.h"

#include "backend/libraries/detect/valueshape.h"

namespace lk {

namespace {

// Sidekiq's: 12 random bytes.
bool isJobId(QByteArrayView text)
{
    return text.size() == 24 && isHex(text);
}

} // namespace

namespace layouts {

// Sidekiq::Throttled limits the number of jobs of a class that run at the same time.
const Layout& sidekiqThrottled()
{
    static const ZsetLock layout(
        {.id = "sidekiq-throttled",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "Sidekiq::Throttled concurrency"),
         .scores = {.unit = TimeUnit::Seconds},
         .isMember = isJobId,
         .places = {"throttled:"}});
    return layout;
}

} // namespace layouts

} // namespace lk
