// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/bodies/detailbody.h"

#include "widgets/detail/bodies/bodies.h"

namespace lk {

DetailBody* makeDetailBody(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return makeLimiterBody();
    case Kind::Lock:
        return makeLockBody();
    case Kind::Queue:
        return makeQueueBody();
    case Kind::Token:
        return makeTokenBody();
    case Kind::Pattern:
        break;
    }
    return makePatternBody();
}

} // namespace lk
