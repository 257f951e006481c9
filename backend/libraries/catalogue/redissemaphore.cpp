// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/zsetlock.h"

#include "backend/libraries/detect/valueshape.h"

namespace lk {

namespace {

bool beginsWithUuid(QByteArrayView text)
{
    return text.size() >= 36 && isUuid(text.first(36));
}

// A holder of several permits has several members: "<uuid>_0", "<uuid>_1".
QByteArray withoutPermit(const QByteArray& member)
{
    const qsizetype at = member.lastIndexOf('_');
    bool number = false;
    member.mid(at + 1).toUInt(&number);
    return at >= 36 && number ? member.left(at) : member;
}

} // namespace

namespace layouts {

// redis-semaphore for Node.js, Semaphore and MultiSemaphore. lockTimeout is the lease of every
// member.
const Layout& redisSemaphore()
{
    static const ZsetLock layout(
        {.id = "redis-semaphore",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-semaphore semaphore"),
         .scores = {.score = ZsetScores::Moment::Taken, .holderOf = withoutPermit},
         .isMember = beginsWithUuid,
         .places = {"semaphore:"}});
    return layout;
}

} // namespace layouts

} // namespace lk
