// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk::bench {

/// Watches that server without a window, once all of so many primitives are known, and prints what
/// that costs: "commands cpu server look" of a second of watching a screen of rows while nothing
/// changes (commands sent, own and the server's CPU in milliseconds), and the milliseconds of a
/// second look at the board. Call in a process of its own, so that no other
/// work adds to its time. Returns 0 on success.
int watchWarm(const QString& socketPath, qint64 primitives);

} // namespace lk::bench
