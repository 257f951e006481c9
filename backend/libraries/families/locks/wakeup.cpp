// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/wakeup.h"

#include "backend/libraries/api/layout.h"

namespace lk::actions {

void addWakeUp(Plan& plan, const Primitive& lock, const QByteArray& value)
{
    const Layout* layout = findLayout(lock.id.layout);
    if (!layout)
        return;
    if (const QByteArray signal = lock.key("signal"); !signal.isEmpty()) {
        const QByteArray element = layout->signalElement(lock, value);
        plan.keys.push_back(signal);
        plan.args.push_back(element);
        plan.commands << shown({"LPUSH", signal, element});
    }
    for (const auto& [channel, message] : layout->releaseMessages(lock, value)) {
        plan.args.insert(plan.args.end(), {channel, message});
        plan.commands << shown({"PUBLISH", channel, message});
    }
}

} // namespace lk::actions
