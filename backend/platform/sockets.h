// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

/// True if the other side of a socket has closed its half, whatever is still to be read. Does not
/// wait. Linux; elsewhere true once the connection is gone.
bool hasHungUp(int socket);

} // namespace lk
