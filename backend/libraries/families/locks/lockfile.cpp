// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/lockfile.h"

namespace lk {

std::vector<QByteArray> LockFileLayout::ownersOf(const QByteArray& name) const
{
    const KeyRule* signal = file().key("signal");
    const auto owner = signal ? claims().primitiveOf(*signal, name) : std::nullopt;
    return owner ? std::vector{*owner} : std::vector<QByteArray>();
}

QByteArray LockFileLayout::signalElement(const Primitive& primitive, const QByteArray& value) const
{
    QByteArray message = file().wakeUp.message;
    return message.replace("{value}", value).replace("{key}", primitive.keys.front().key);
}

std::vector<std::pair<QByteArray, QByteArray>>
LockFileLayout::releaseMessages(const Primitive& primitive, const QByteArray& value) const
{
    if (!file().wakeUp.channel)
        return {};
    const auto channel = file().wakeUp.channel->fill(valuesOf(primitive));
    if (!channel)
        return {};
    return {{*channel, signalElement(primitive, value)}};
}

} // namespace lk
