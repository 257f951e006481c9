// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/sockets.h"

#include <poll.h>

namespace lk {

bool hasHungUp(int socket)
{
#ifdef POLLRDHUP
    pollfd state{socket, POLLRDHUP, 0};
#else
    pollfd state{socket, 0, 0};
#endif
    return ::poll(&state, 1, 0) == 1;
}

} // namespace lk
