// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QThread;

namespace lk {

/// Lets a thread do what was posted to it up to now, the last save among it, then ends it and waits
/// for that. quit() alone may leave such events behind.
void endThread(QThread& thread);

} // namespace lk
