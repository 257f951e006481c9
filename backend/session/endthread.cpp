// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/endthread.h"

#include <QThread>

namespace lk {

void endThread(QThread& thread)
{
    if (thread.isRunning()) {
        auto* last = new QObject;
        last->moveToThread(&thread);
        QMetaObject::invokeMethod(last, [last, &thread] {
            last->deleteLater();
            thread.quit();
        });
    }
    thread.wait();
}

} // namespace lk
