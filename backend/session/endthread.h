// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QThread;

namespace lk {

/// Ends a thread after it has handled the events posted so far, such as the last save, and waits
/// for it. quit() alone may leave such events unhandled.
void endThread(QThread& thread);

} // namespace lk
